import type { AdapterSettings, SettingValues } from '../port'

const CREDENTIAL = { meaning: 'Credential of the e-signing provider', isRequired: true } as const

/** The settings of both of the provider's protocols. */
export const setuSettings = {
  ESIGN_API_URL: { meaning: 'E-signing provider; without it the sandbox', format: 'url' },
  ESIGN_CLIENT_ID: CREDENTIAL,
  ESIGN_CLIENT_SECRET: CREDENTIAL,
  ESIGN_PRODUCT_INSTANCE_ID: CREDENTIAL,
  ESIGN_WEBHOOK_SECRET: {
    meaning: 'Verifies the e-signing webhooks; at least 32 bytes in production, generated in development',
    isRequired: true,
    isSecret: true,
  },
  ESIGN_WEBHOOK_SECRET_SECONDARY: {
    meaning: 'Second secret that is accepted while you rotate `ESIGN_WEBHOOK_SECRET`',
    isSecret: true,
  },
  ESIGN_WEBHOOK_HEADER: {
    meaning: 'Header with the signature of a webhook',
    format: 'header-name',
    defaultText: 'x-setu-signature',
  },
} as const satisfies AdapterSettings

export type SetuSettings = typeof setuSettings

/** The credentials, as headers of each call. */
export const toCredentialHeaders = (settings: SettingValues<SetuSettings>) => ({
  'x-client-id': settings.ESIGN_CLIENT_ID,
  'x-client-secret': settings.ESIGN_CLIENT_SECRET,
  'x-product-instance-id': settings.ESIGN_PRODUCT_INSTANCE_ID,
})

/** The settings that the sandbox accepts. */
export const toSandboxSettings = (secret: string) => ({
  ESIGN_CLIENT_ID: 'sandbox',
  ESIGN_CLIENT_SECRET: secret,
  ESIGN_PRODUCT_INSTANCE_ID: 'sandbox',
})
