<?xml version="1.0" encoding="UTF-8"?>
<ogr:FeatureCollection xmlns:ogr="http://ogr.maptools.org/" xmlns:gml="http://www.opengis.net/gml">
  <gml:name>Trees of a park</gml:name>
  <gml:boundedBy><gml:Box><gml:coord><gml:X>8.5</gml:X><gml:Y>47.25</gml:Y></gml:coord><gml:coord><gml:X>8.75</gml:X><gml:Y>47.5</gml:Y></gml:coord></gml:Box></gml:boundedBy>
  <gml:featureMember><ogr:tree fid="1"><ogr:height>7</ogr:height></ogr:tree></gml:featureMember>
  <gml:featureMember><ogr:tree fid="2"><ogr:height>9</ogr:height></ogr:tree></gml:featureMember>
  <gml:featureMember><ogr:bench fid="3"/></gml:featureMember>
</ogr:FeatureCollection>
