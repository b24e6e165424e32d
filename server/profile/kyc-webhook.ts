import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { KycRequest } from '../../db/entities'
import type { Deps } from '../deps'
import { refuse } from '../faults'
import { createKycReadings } from '../http/limits/turns'
import { results } from '../messages/results'
import { syncKyc } from './kyc'

export const KycWebhook = Type.Object({ data: Type.Object({ id: Type.String() }) })

/**
 * Reads identity checks from the provider; an unsigned webhook is only a hint. Anyone may send many, so those of a
 * check share the reading that has not begun.
 */
export function createKycReceiver(deps: Deps) {
  const runReading = createKycReadings()
  const waiting = new Map<string, Promise<void>>()

  async function read(id: string) {
    const request = await findRequest(deps, id)
    if (!request) return
    await runReading(id, () => {
      waiting.delete(id)
      return syncKyc(deps, request)
    })
  }

  function share(id: string) {
    const reading = read(id).finally(() => {
      if (waiting.get(id) === reading) waiting.delete(id)
    })
    waiting.set(id, reading)
    return reading
  }

  return async (payload: string) => {
    const { id } = parseKycWebhook(payload).data
    await (waiting.get(id) ?? share(id))
    return { message: results.webhook_received }
  }
}

const findRequest = ({ db, kyc }: Deps, id: string) =>
  db.em.fork().findOne(KycRequest, { provider: kyc.name, provider_request_id: id.replaceAll('\0', '') })

function parseKycWebhook(payload: string): Static<typeof KycWebhook> {
  let webhook: unknown
  try {
    webhook = JSON.parse(payload)
  } catch {
    throw refuse('body_not_json')
  }
  if (!Value.Check(KycWebhook, webhook)) throw refuse('webhook_id_missing')
  return webhook
}
