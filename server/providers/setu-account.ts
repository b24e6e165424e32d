/** Our account at Setu, or at the sandbox, whose address is known once the server listens. */
export type SetuAccount = {
  getBaseUrl: () => string
  clientId: string
  clientSecret: string
  productInstanceId: string
}

/** The credentials, as headers of each call. */
export const toCredentialHeaders = ({ clientId, clientSecret, productInstanceId }: SetuAccount) => ({
  'x-client-id': clientId,
  'x-client-secret': clientSecret,
  'x-product-instance-id': productInstanceId,
})
