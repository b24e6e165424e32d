import { createHmac } from 'node:crypto'
import { sql, type Expression } from 'kysely'
import { executeCompiled } from '../../db/compiled-queries'
import type { Db, EntityManager } from '../../db/database'
import type { Deps } from '../deps'
import { getClientNetwork } from '../http/limits/client-ip'

/** The newest of each user stay. */
const MAX_NETWORKS = 10

/**
 * The hash is keyed, and covers the phone number: the few networks that exist could be tried one by one, and
 * those of two users compared.
 */
export function hashNetwork(key: string, phone: string) {
  return createHmac('sha256', `network:${key}`).update(`${phone}:${getClientNetwork()}`).digest('hex')
}

type SignIn = { user: { id: number; phone: string }; now: Date }

/** Remembers the network of a sign-in. The user is locked, so parallel sign-ins keep the limit. */
export function rememberNetwork({ config }: Deps, em: EntityManager, { user, now }: SignIn) {
  const hash = hashNetwork(config.JWT_SECRET, user.phone)
  return executeCompiled(em, upsertNetwork, { userId: user.id, hash, now })
}

type SeenNetwork = { userId: number; hash: string; now: Date }

/** Inserts or renews a network, and deletes the user's oldest ones beyond the limit. */
function upsertNetwork(db: Db, { userId, hash, now }: SeenNetwork) {
  const others = db
    .selectFrom('known_networks as o')
    .where('o.user_id', '=', userId)
    .where('o.network_hash', '<>', hash)
    .orderBy('o.last_seen_at', 'desc')
    .offset(MAX_NETWORKS - 1)
    .select('o.network_hash')
  return db
    .with('renewed', cte =>
      cte
        .insertInto('known_networks')
        .values({ user_id: userId, network_hash: hash, last_seen_at: now })
        .onConflict(conflict =>
          conflict
            .columns(['user_id', 'network_hash'])
            .doUpdateSet(e => ({ last_seen_at: e.ref('excluded.last_seen_at') })),
        ),
    )
    .deleteFrom('known_networks')
    .where('user_id', '=', userId)
    .where('network_hash', 'in', others)
}

/** Selects the network with one of these hashes if the phone's user has signed in from it. */
export function selectKnownNetwork(db: Db, phone: Expression<string>, hashes: Expression<string[]>) {
  return db
    .selectFrom('known_networks as k')
    .innerJoin('users as u', 'u.id', 'k.user_id')
    .where('u.phone', '=', phone)
    .where('k.network_hash', '=', sql<string>`any (${hashes})`)
    .select('k.network_hash')
}

/** Returns the hash of an address's network if the phone's user has signed in from it. */
export async function findKnownNetwork({ config, db }: Deps, phone: string) {
  const hashes = config.acceptedSecrets.JWT_SECRET.map(key => hashNetwork(key, phone))
  const [known] = await executeCompiled(db, selectNewestNetwork, { phone, hashes })
  return known?.network_hash
}

/** During a rotation of the key a network has two hashes. */
function selectNewestNetwork(db: Db, { phone, hashes }: { phone: string; hashes: string[] }) {
  return selectKnownNetwork(db, sql`${phone}::text`, sql`${hashes}::text[]`)
    .orderBy('k.last_seen_at', 'desc')
    .limit(1)
}
