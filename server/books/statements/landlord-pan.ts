import { executeCompiled } from '../../../db/compiled-queries'
import type { Db } from '../../../db/database'
import type { Deps } from '../../deps'
import { decryptText } from '../../domain/encryption'
import { toRupees } from '../../domain/money'
import { toPanPlace } from '../../domain/pan'
import { HRA_PAN_THRESHOLD, isAbove } from '../../domain/rent-law'
import { getRentInForce, toLeaseRent } from '../../leases/rents'

/**
 * Finds the landlord's PAN for a document of rent, if it names it: twelve months of the rent in force on a day are
 * above the threshold, else undefined. It is null if there is none, or its key is missing.
 */
export async function findLandlordPan({ db, config, log }: Deps, agreementId: number, day: string) {
  const [landlord] = await executeCompiled(db, selectLandlord, { agreementId })
  const { id, user_id, pan, rent } = landlord!
  if (!isAbove(HRA_PAN_THRESHOLD, toRupees(12 * getRentInForce(rent, day)), day)) return undefined
  if (pan === null) return null
  const decrypted = decryptText(config.acceptedSecrets.CREDENTIALS_KEY, pan, toPanPlace(user_id))
  if (decrypted === undefined)
    log.error({ user: id }, 'A PAN cannot be decrypted: CREDENTIALS_KEY is not its key')
  return decrypted ?? null
}

function selectLandlord(db: Db, { agreementId }: { agreementId: number }) {
  return db
    .selectFrom('agreements as a')
    .innerJoin('users as u', 'u.id', 'a.landlord_id')
    .where('a.id', '=', agreementId)
    .select(['u.id', 'u.user_id', 'u.pan', toLeaseRent('a').as('rent')])
}
