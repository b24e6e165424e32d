import { executeCompiled } from '../../../db/compiled-queries'
import type { Db } from '../../../db/database'
import { User } from '../../../db/entities'
import type { Config } from '../../config'
import type { Deps } from '../../deps'
import { decryptText, encryptText, toKeyId } from '../../domain/encryption'
import { toPanPlace } from '../../domain/pan'

const BATCH_SIZE = 500

type StoredPan = { id: number; user_id: string; pan: string | null }

/** Encrypts again what older keys encrypted, so that they can be removed. */
export async function renewEncryption({ db, config }: Pick<Deps, 'db' | 'config'>) {
  if (config.acceptedSecrets.CREDENTIALS_KEY.length === 1) return
  const isCurrent = `${toKeyId(config.CREDENTIALS_KEY)}.%`
  let afterId = 0
  for (;;) {
    const users = await executeCompiled(db, selectOlderPans, { isCurrent, afterId })
    for (const user of users) {
      const renewed = encryptAgain(config, user)
      // One that its user has changed since it was read stays.
      if (renewed) await db.fork().nativeUpdate(User, { id: user.id, pan: user.pan }, { pan: renewed })
    }
    if (users.length < BATCH_SIZE) return
    afterId = users.at(-1)!.id
  }
}

function encryptAgain({ CREDENTIALS_KEY, acceptedSecrets }: Config, { user_id, pan }: StoredPan) {
  const place = toPanPlace(user_id)
  const text = decryptText(acceptedSecrets.CREDENTIALS_KEY, pan!, place)
  return text && encryptText(CREDENTIALS_KEY, text, place)
}

function selectOlderPans(db: Db, { isCurrent, afterId }: { isCurrent: string; afterId: number }) {
  return db
    .selectFrom('users')
    .where('pan', 'not like', isCurrent)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(BATCH_SIZE)
    .select(['id', 'user_id', 'pan'])
}
