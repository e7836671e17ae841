define({ root: 'https://gis.county.example' });
