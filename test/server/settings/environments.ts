import { ConfigError, readConfig } from '../../../server/config'

export type Environment = Record<string, string | undefined>

/** Two secrets that production accepts. */
export const SECRET = 'wq8Z0vNf3m1TtYb7rPzGk2dLx5sHcJ9u'
export const OTHER_SECRET = 'Gd4kV7nXw2QpLs9ZtRb6yMf1hJc8uE3a'

export const development: Environment = { JWT_SECRET: 'short', ESIGN_WEBHOOK_SECRET: 'short' }

/** A key that production accepts. */
export const KEY = 'p0Jd8sVq3nXtLr5wYk2ZbHf7mCg9uEa1TiOxNvQyRzE='

export const OTHER_KEY = Buffer.alloc(32, 7).toString('base64')

/** A complete production environment without the sandbox. */
export const production: Environment = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://api.example.com',
  DATABASE_URL: 'postgresql://db/kiraya',
  JWT_SECRET: SECRET,
  ESIGN_WEBHOOK_SECRET: OTHER_SECRET,
  CREDENTIALS_KEY: KEY,
  MESSAGE_CHANNELS: 'whatsapp',
  WHATSAPP_PHONE_NUMBER_ID: '1',
  WHATSAPP_ACCESS_TOKEN: 'x',
  ESIGN_API_URL: 'https://esign.example.com',
  ESIGN_CLIENT_ID: 'x',
  ESIGN_CLIENT_SECRET: 'x',
  ESIGN_PRODUCT_INSTANCE_ID: 'x',
  EKYC_API_URL: 'https://ekyc.example.com',
  EKYC_CLIENT_ID: 'x',
  EKYC_CLIENT_SECRET: 'x',
  EKYC_PRODUCT_INSTANCE_ID: 'x',
}

/** Returns why an environment is refused, or `none`. */
export function getRefusal(env: Environment): string {
  try {
    readConfig(env)
    return 'none'
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message
  }
}
