import { esignSettings, messagingSettings, providerSettings, sandboxSettings } from './provider-settings'
import { limitSettings, serverSettings, timeoutSettings } from './server-settings'

/** Every setting of the server, by its environment variable. */
export const settings = {
  ...serverSettings,
  ...messagingSettings,
  ...esignSettings,
  ...providerSettings,
  ...timeoutSettings,
  ...sandboxSettings,
  ...limitSettings,
}

type Settings = typeof settings

/** The settings as read: one without a default may be undefined. */
export type SettingValues = {
  [K in keyof Settings]:
    | ReturnType<Settings[K]['parse']>
    | (Settings[K]['defaultText'] extends string ? never : undefined)
}
