import { sql, type Expression } from 'kysely'

// A landlord can name anyone. Until they have signed for that landlord, they are a stranger, whom one landlord
// and all of them together may bother a little only.

/** Whether a user has signed an agreement of a landlord; a signed one is never deleted. */
export function hasSignedFor(landlordId: Expression<number>, userId: Expression<number>) {
  return sql<boolean>`exists (
    select from agreements signed
    join agreement_signatures signature on signature.agreement_id = signed.id
    where signed.landlord_id = ${landlordId} and signed.is_active and signature.signer_id = ${userId}
      and signature.status = 'SIGNED'
  )`
}
