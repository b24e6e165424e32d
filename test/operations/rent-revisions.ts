import { operation, to, type OperationRows } from './row'

export const rentRevisions: OperationRows = {
  'GET /agreements/:id/rent-revisions': operation(to.parties, 'query rentRevisions.list', {
    example: { id: '$rented' },
    shows: async ({ owner, agreement }) => {
      const revision = { rent_amount: 26_001.37, effective_on: '2027-04-01' }
      await owner.post(`/agreements/${agreement.id}/rent-revisions`, revision)
      return '26001.37'
    },
  }),
  'POST /agreements/:id/rent-revisions': operation(to.landlordSideCreates, 'once rentRevisions.propose', {
    payment: 'posted',
    body: { rent_amount: 27500, effective_on: '$revisionDate' },
    example: { id: '$let' },
  }),
  'POST /agreements/:id/rent-revisions/:revisionId/accept': operation(
    [401, 404, 403, 403, 200, 404],
    'once rentRevisions.accept',
    {
      payment: 'posted',
      prepare: async ({ owner, agreement, dates }) => {
        const revision = { rent_amount: 27500, effective_on: dates.revisionDate }
        return { revision: (await owner.post(`/agreements/${agreement.id}/rent-revisions`, revision)).data }
      },
      sender: 'tenant',
      body: {},
      example: { params: { id: '$rented', revisionId: '$acceptableRevision' } },
    },
  ),
  'POST /agreements/:id/rent-revisions/:revisionId/decline': operation(
    [401, 404, 403, 403, 404, 404],
    'bare rentRevisions.decline',
    { payment: 'posted', example: { params: { id: '$rented', revisionId: '$declinableRevision' } } },
  ),
  'POST /agreements/:id/rent-revisions/:revisionId/withdraw': operation(
    [401, 404, 404, 404, 403, 404],
    'bare rentRevisions.withdraw',
    { payment: 'posted', example: { params: { id: '$let', revisionId: '$withdrawableRevision' } } },
  ),
}
