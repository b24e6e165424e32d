import { byUuid, operation, page, row, to, type OperationRows } from './row'

export const units: OperationRows = {
  'POST /properties/:id/units': operation(
    [row([401, 404, 201, 403, 404, 404], { coLandlord: 201 }), row(to.signedIn(201), byUuid)],
    'once units.create',
    {
      isRepeatable: true,
      body: { unit_name: 'B-201', room_type: '2bhk', area_sqft: 1150.5, floor_number: 2 },
    },
  ),
  'GET /properties/:id/units': operation(
    [row([401, 404, 200, 200, 404, 404], { coLandlord: 200 })],
    'query units.list',
    {
      example: { query: { ...page, is_available: true } },
      shows: ({ unit }) => unit.property_unit_id,
      visibleTo: ['the landlord', 'the manager'],
      reads: ['', '?limit=1', '?q=A-101', '?is_available=true', '?sort=unit_name'],
    },
  ),
  'GET /properties/:id/units/:unitId': operation([401, 404, 200, 200, 404, 404], 'none units.get'),
  'PATCH /properties/:id/units/:unitId': operation(
    [
      row([401, 404, 200, 200, 404, 404]),
      row([401, 404, 200, 403, 404, 404], { body: { managed_by_id: null } }),
    ],
    'body units.update',
    { body: { unit_notes: 'Freshly painted' } },
  ),
  'DELETE /properties/:id/units/:unitId': operation([401, 404, 200, 403, 404, 404], 'none units.delete', {
    example: { params: { unitId: '$spareUnit' } },
  }),
  'POST /properties/:id/units/:unitId/resign': operation(
    [row([401, 404, 403, 200, 404, 404]), row([401, 404, 403, 200, 404, 404], byUuid)],
    'bare units.resign',
    { example: { params: { id: '$managedProperty', unitId: '$managedUnit' } } },
  ),
}
