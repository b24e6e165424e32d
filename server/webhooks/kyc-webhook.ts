import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { KycRequest } from '../../db/entities'
import type { Deps } from '../deps'
import { refuse } from '../faults'
import { createKycReadings } from '../http/turns'
import { results } from '../messages/results'
import { syncKyc } from '../profile/kyc'

export const KycWebhook = Type.Object({ data: Type.Object({ id: Type.String() }) })

/**
 * Reads identity checks from the provider; an unsigned webhook is only a hint. Anyone may send many, so those of a
 * check share the reading that has not begun.
 */
export function createKycReceiver(deps: Deps) {
  const runReading = createKycReadings()
  const waiting = new Map<string, Promise<unknown>>()

  function read(request: KycRequest) {
    const id = request.kyc_request_id
    const reading = runReading(id, () => {
      waiting.delete(id)
      return syncKyc(deps, request)
    })
    waiting.set(id, reading)
    return reading.finally(() => {
      if (waiting.get(id) === reading) waiting.delete(id)
    })
  }

  return async (payload: string) => {
    const webhook = parseKycWebhook(payload)
    const request = await deps.db.em.fork().findOne(KycRequest, {
      provider: deps.kyc.name,
      provider_request_id: webhook.data.id.replaceAll('\0', ''),
    })
    if (request) await (waiting.get(request.kyc_request_id) ?? read(request))
    return { message: results.webhook_received }
  }
}

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
