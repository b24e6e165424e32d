import { refuse } from '../../errors'
import type { SigningProvider } from './port'

type SigningProviders = { signing: SigningProvider; otherSigning: SigningProvider[] }

/** The configured providers, the one of new requests first. */
export const listSigningProviders = ({ signing, otherSigning }: SigningProviders) => [
  signing,
  ...otherSigning,
]

export const listSigningProviderNames = (providers: SigningProviders) =>
  listSigningProviders(providers).map(({ name }) => name)

/**
 * Gets the provider that made a request or took a webhook.
 * @throws SERVICE_UNAVAILABLE It is not configured, so its requests and webhooks have to wait.
 */
export function getSigningProvider(providers: SigningProviders, name: string): SigningProvider {
  const found = listSigningProviders(providers).find(provider => provider.name === name)
  if (!found) throw refuse('provider_not_configured', { name })
  return found
}
