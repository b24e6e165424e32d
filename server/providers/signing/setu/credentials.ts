import type { SigningAccount } from '../port'

/** The credentials, as headers of each call. */
export const toCredentialHeaders = ({ clientId, clientSecret, productInstanceId }: SigningAccount) => ({
  'x-client-id': clientId,
  'x-client-secret': clientSecret,
  'x-product-instance-id': productInstanceId,
})
