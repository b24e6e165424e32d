import { signingAdapters } from '../providers/signing/index'

type StoredWebhook = { provider: string; payload: string }

/**
 * Removes personal data from a stored webhook, except that of the person with the given phone number. The
 * adapter that took the webhook knows what is personal, also when it is not configured.
 */
export function redactPayload({ provider, payload }: StoredWebhook, phone?: string): string {
  const adapters = Object.values(signingAdapters)
  const adapter = adapters.find(({ name, sandboxName }) => [name, sandboxName].includes(provider))
  // Without its adapter a webhook can no longer be processed, so nothing of it has to stay.
  return adapter?.redactWebhook(payload, phone) ?? 'null'
}
