import { userCallers } from './callers'
import { operation, page, row, to, type OperationRows } from './row'

export const properties: OperationRows = {
  'POST /properties': operation(to.signedIn(201), 'once properties.create', {
    body: {
      pin_code: 560038,
      property_type: 'independent_house',
      society_building: 'Lotus Villa',
      road_name: '12th Main Road',
      locality: 'Indiranagar',
      landmark: 'Opposite the metro station',
      common_amenities: ['Parking', 'Power backup'],
      property_units: [{ unit_name: 'Ground floor', room_type: '3bhk', furnishing_type: 'semi_furnished' }],
    },
  }),
  'GET /properties': operation(to.signedIn(200), 'query properties.list', {
    example: { query: { ...page, sort: '-created_at' } },
    shows: ({ property }) => property.property_id,
    visibleTo: ['the landlord', 'another landlord in the building'],
    reads: ['', '?q=White%20House', '?property_type=apartment', '?sort=alias_name'],
  }),
  'GET /properties/search': operation(to.signedIn(200), 'query properties.search', {
    query: { name: 'White House', pin_code: 560048 },
    shows: ({ property }) => property.society_building,
    visibleTo: userCallers.filter(caller => caller !== 'an inactive user' && caller !== 'a signed-out user'),
  }),
  'GET /properties/:id': operation(
    [row([401, 404, 200, 200, 404, 404], { coLandlord: 200 })],
    'none properties.get',
    { reads: [''] },
  ),
  'PATCH /properties/:id': operation(
    [row([401, 404, 200, 403, 404, 404], { coLandlord: 403 })],
    'body properties.update',
    { body: { alias_name: 'Lake View' }, example: { body: { landmark: 'Near the lake' } } },
  ),
  'DELETE /properties/:id': operation(
    [row([401, 404, 200, 403, 404, 404], { coLandlord: 403 })],
    'none properties.delete',
    { example: { id: '$spareProperty' } },
  ),
}
