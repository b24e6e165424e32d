import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { KycRequest } from '../../../db/entities'
import type { Deps } from '../../deps'
import { refuse } from '../../errors'
import { results } from '../../messages/results'
import { syncKyc } from './kyc'

export const KycWebhook = Type.Object({ data: Type.Object({ id: Type.String() }) })

/**
 * Reads identity checks from the provider; an unsigned webhook is only a hint. Anyone may send many, so those that come
 * while a check is read share one further reading.
 */
export function createKycReceiver(deps: Deps) {
  const running = new Map<string, Promise<void>>()
  const waiting = new Map<string, Promise<void>>()

  async function read(id: string) {
    const request = await findRequest(deps, id)
    if (request) await syncKyc(deps, request)
  }

  async function readNext(id: string) {
    await running.get(id)?.catch(() => {})
    waiting.delete(id)
    const reading = read(id).finally(() => running.delete(id))
    running.set(id, reading)
    await reading
  }

  return async (payload: string) => {
    const { id } = parseKycWebhook(payload).data
    const reading = waiting.get(id) ?? readNext(id)
    waiting.set(id, reading)
    await reading
    return { message: results.webhook_received }
  }
}

const findRequest = ({ db, kyc }: Deps, id: string) =>
  db.fork().findOne(KycRequest, { provider: kyc.name, provider_request_id: id.replaceAll('\0', '') })

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
