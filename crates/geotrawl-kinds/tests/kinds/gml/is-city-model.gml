<?xml version="1.0"?>
<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:bldg="http://www.opengis.net/citygml/building/2.0" xmlns:gml="http://www.opengis.net/gml">
  <gml:boundedBy><gml:Envelope srsName="urn:ogc:def:crs:EPSG::25832" srsDimension="3">
    <gml:lowerCorner>450000 5500000 80</gml:lowerCorner><gml:upperCorner>451000 5501000 120</gml:upperCorner>
  </gml:Envelope></gml:boundedBy>
  <core:cityObjectMember><bldg:Building gml:id="b1"/></core:cityObjectMember>
</core:CityModel>
