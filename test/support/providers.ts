/** Settings of a server without a sandbox; nothing listens at the addresses. */
export const realProviders = {
  MESSAGE_CHANNELS: 'sms',
  MSG91_AUTH_KEY: 'x',
  MSG91_TEMPLATE_ID: 'x',
  ESIGN_API_URL: 'http://127.0.0.1:1',
  ESIGN_CLIENT_ID: 'a',
  ESIGN_CLIENT_SECRET: 'b',
  ESIGN_PRODUCT_INSTANCE_ID: 'c',
  EKYC_API_URL: 'http://127.0.0.1:1',
  EKYC_CLIENT_ID: 'a',
  EKYC_CLIENT_SECRET: 'b',
  EKYC_PRODUCT_INSTANCE_ID: 'c',
}
