/** OpenStreetMap's key and value for the categories of points of interest. */
export const poiTags: Readonly<Record<string, readonly [key: string, value: string]>> = {
  restaurant: ['amenity', 'restaurant'],
  hotel: ['tourism', 'hotel'],
  hospital: ['amenity', 'hospital'],
  school: ['amenity', 'school'],
  bank: ['amenity', 'bank'],
  shop: ['shop', 'yes'],
  transport: ['public_transport', 'station'],
  tourism: ['tourism', 'attraction'],
  sport: ['leisure', 'sports_centre'],
  parking: ['amenity', 'parking'],
  fuel: ['amenity', 'fuel'],
};
