import { beforeAll } from 'bun:test'
import { sendRequest } from './users'

/** Lets the identity checks of a sandbox wait for a person. */
export const setManualKyc = ({ url }: { url: string }) =>
  sendRequest(url, 'POST', '/sandbox/control/ekyc', { body: { mode: 'manual' } })

/** The same for a whole test file. */
export const useManualKyc = (server: { url: string }) =>
  beforeAll(async () => void (await setManualKyc(server)))
