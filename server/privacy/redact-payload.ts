import { signingAdapters } from '../providers/signing/index'
import type { SigningAdapter } from '../providers/signing/port'

type StoredWebhook = { provider: string; payload: string }

/**
 * Removes personal data from a stored webhook, except that of the person with the given phone number. The
 * adapter that took the webhook knows what is personal, also when it is not configured.
 */
export function redactPayload({ provider, payload }: StoredWebhook, phone?: string): string {
  const adapters: SigningAdapter[] = Object.values(signingAdapters)
  const adapter = adapters.find(({ name, sandbox }) => name === provider || sandbox?.name === provider)
  // Without its adapter a webhook can no longer be processed, so nothing of it has to stay.
  return adapter?.redactWebhook(payload, phone) ?? 'null'
}
