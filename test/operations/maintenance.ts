import { PDF, raiseRequestIn } from '../support/maintenance-fixture'
import { drawPng } from '../support/pictures'
import { byUuid, operation, page, row, to, type Needs, type OperationRows } from './row'

/** The tenant has raised a request under an ACTIVE agreement. */
const current: Needs = { state: 'ACTIVE', prepare: fixture => raiseRequestIn(fixture, fixture, 'current') }
/** The agreement has ended since. */
const former: Needs = { state: 'ACTIVE', prepare: fixture => raiseRequestIn(fixture, fixture, 'former') }
const reads = [row(to.parties), row(to.parties, former)]

export const maintenance: OperationRows = {
  'POST /maintenance-requests': operation(
    [
      row(to.partiesCreate),
      row([401, 404, 201, 201, 404, 404], { state: 'DRAFT' }),
      row([401, 404, 201, 201, 404, 404], { state: 'TERMINATED' }),
    ],
    'once maintenance.create',
    {
      state: 'ACTIVE',
      isRepeatable: true,
      body: {
        property_unit_id: '$unit',
        category: 'electrical',
        priority: 'high',
        title: 'The geyser trips the fuse',
        description: 'Each time it heats for more than ten minutes',
      },
    },
  ),
  'GET /maintenance-requests': operation(to.signedIn(200), 'query maintenance.list', {
    ...current,
    example: { query: { ...page, open: true, sort: '-id' } },
    shows: ({ request }) => request.request_id,
    reads: ['', '?limit=1', '?q=tap', '?open=true', '?status=open'],
  }),
  'GET /maintenance-requests/:id': operation(reads, 'none maintenance.get', current),
  'PATCH /maintenance-requests/:id': operation(
    [
      row(to.landlordSide),
      row(to.tenantOnly, { ...byUuid, body: { title: 'The tap drips' } }),
      row(to.landlordSide, { ...former, body: {} }),
    ],
    'body maintenance.update',
    {
      ...current,
      body: {
        vendor_name: 'Ravi Plumbing Works',
        vendor_phone: '9845012345',
        scheduled_at: '$visitAt',
        cost: 850,
        borne_by: 'tenant',
      },
    },
  ),
  'POST /maintenance-requests/:id/status': operation(
    [
      row(to.landlordSide),
      row(to.tenantOnly, { ...byUuid, body: { status: 'cancelled' } }),
      row([401, 404, 403, 403, 403, 404], { ...former, body: { status: 'cancelled' } }),
    ],
    'once maintenance.status',
    { ...current, body: { status: 'in_progress', comment: 'The plumber brings a new washer' } },
  ),
  'GET /maintenance-requests/:id/comments': operation(reads, 'query maintenance.comments', {
    ...current,
    example: { query: page },
    shows: () => 'Water since Monday',
  }),
  'POST /maintenance-requests/:id/comments': operation(
    [
      row(to.partiesCreate),
      row(to.landlordSideCreates, { ...byUuid, body: { text: 'x', is_internal: true } }),
      row(to.landlordSideCreates, former),
    ],
    'once maintenance.comment',
    {
      ...current,
      isRepeatable: true,
      body: { text: 'On Tuesday' },
      example: { body: { text: 'The tap is three years old, still under warranty', is_internal: true } },
    },
  ),
  'POST /maintenance-requests/:id/attachments': operation(
    [row(to.partiesCreate), row(to.partiesCreate, byUuid), row(to.landlordSideCreates, former)],
    'key maintenance.attach',
    {
      ...current,
      isRepeatable: true,
      takes: [new Blob(['a picture'])],
      body: PDF,
      example: { body: drawPng(16, 12) },
    },
  ),
  'GET /maintenance-requests/:id/attachments/:attachmentId': operation(
    reads,
    'none maintenance.download',
    current,
  ),
  'DELETE /maintenance-requests/:id/attachments/:attachmentId': operation(
    [row(to.tenantOnly), row(to.tenantOnly, byUuid), row(to.tenantOnly, former)],
    'none maintenance.detach',
    { ...current, example: { params: { attachmentId: '$spareAttachment' } } },
  ),
}
