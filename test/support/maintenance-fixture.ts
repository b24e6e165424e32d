import type { AgreementFixture, Parties } from './agreement-fixture'
import { requireSuccess } from './requests'
import type { TestUser } from './users'
import { toTinyPdf } from './pdf'

/** `former` once the lease has ended. */
export type RequestState = 'current' | 'former'

/** A maintenance request with a file, as they are answered. */
export type RequestFixture = {
  request: { id: number; request_id: string }
  attachment: { attachment_id: string }
}

export const COMMENT = 'Water since Monday'
export const PDF = new TextEncoder().encode(toTinyPdf(''))

/** The body of a new maintenance request. */
export const newRequest = (property_unit_id: number) => ({
  property_unit_id,
  category: 'plumbing',
  title: 'The tap leaks',
})

/** Raises a request for a unit, with a file and a comment. */
export async function raiseRequest(
  raiser: TestUser,
  { unit }: Pick<AgreementFixture, 'unit'>,
): Promise<RequestFixture> {
  const raised = await raiser.post('/maintenance-requests', newRequest(unit.id))
  const { data: request } = requireSuccess(raised, 'Raising a maintenance request')
  const path = `/maintenance-requests/${request.id}`
  const attached = await raiser.post(`${path}/attachments`, PDF)
  const { data: attachment } = requireSuccess(attached, 'Attaching a file')
  requireSuccess(await raiser.post(`${path}/comments`, { text: COMMENT }), 'Commenting')
  return { request, attachment }
}

/** A request of a tenant under an ACTIVE agreement, which ends then if it is a `former` one. */
export async function raiseRequestIn(
  fixture: AgreementFixture,
  { owner, tenant }: Pick<Parties, 'owner' | 'tenant'>,
  state: RequestState,
) {
  const raised = await raiseRequest(tenant, fixture)
  if (state === 'former')
    requireSuccess(await owner.post(`/agreements/${fixture.agreement.id}/terminate`), 'Ending a lease')
  return raised
}
