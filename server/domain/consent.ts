import { sql, type Expression } from 'kysely'

/** The provider of signatures that the landlord recorded. They are no consent until the tenant accepts them. */
export const PAPER = 'paper'

/** Whether a person agreed to an agreement: signed it electronically, or accepted what was recorded. */
export const hasConsented = (agreementId: Expression<unknown>, personId: Expression<unknown>) =>
  sql<boolean>`exists (
    select from agreement_signatures consent
    left join agreement_tenants accepting
      on accepting.agreement_id = consent.agreement_id and accepting.tenant_id = consent.signer_id
    where consent.agreement_id = ${agreementId} and consent.signer_id = ${personId} and consent.status = 'SIGNED'
      and (consent.provider <> ${sql.lit(PAPER)} or accepting.accepted_at is not null)
  )`
