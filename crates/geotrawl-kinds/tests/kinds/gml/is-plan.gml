<?xml version="1.0"?>
<xplan:XPlanAuszug xmlns:xplan="http://www.xplanung.de/xplangml/5/2" xmlns:gml="http://www.opengis.net/gml/3.2" gml:id="a">
  <gml:boundedBy><gml:Envelope srsName="EPSG:25832"><gml:lowerCorner>450000 5500000</gml:lowerCorner><gml:upperCorner>451000 5501000</gml:upperCorner></gml:Envelope></gml:boundedBy>
  <gml:featureMember><xplan:BP_Plan gml:id="p1"/></gml:featureMember>
</xplan:XPlanAuszug>
