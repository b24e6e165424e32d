import { sendRequest, type TestResponse } from '../../../support/users'
import { runTogether } from '../../../support/round'

/** Settings that leave all limits to the test; a loaded machine may take its time to send a message. */
export const noLimits = {
  PROVIDER_TIMEOUT_MS: '20000',
  PROVIDER_TOTAL_TIMEOUT_MS: '30000',
  OTP_LIMIT_PER_NETWORK: '100000',
  OTP_LIMIT_PER_PHONE: '100000',
  OTP_LIMIT_PER_ADDRESS: '100000',
  OTP_LIMIT_PER_SITE: '100000',
  OTP_LIMIT_TOTAL: '100000',
  WRONG_OTP_LIMIT_PER_SITE: '100000',
  WRONG_OTP_LIMIT_TOTAL: '100000',
  LOGIN_LIMIT_PER_NETWORK: '100000',
  LOGIN_LIMIT_PER_PHONE: '100000',
  LOGIN_LIMIT_ACROSS_PHONES: '100000',
}

/** Opens the pool's connections: on a cold one requests queue for the first, and a naive read-then-write looks right. */
export const warmPool = (url: string) => runTogether(30, () => sendRequest(url, 'GET', '/health/ready'))

export const sendOtp = (url: string, phone: string, headers?: Record<string, string>) =>
  sendRequest(url, 'POST', '/auth/send-otp', { body: { phone_number: phone }, headers })

export const verifyOtp = (url: string, phone: string, otp = '123456') =>
  sendRequest(url, 'POST', '/auth/verify', { body: { phone_number: phone, otp } })

export const logIn = (url: string, phone: string, password: string, headers?: Record<string, string>) =>
  sendRequest(url, 'POST', '/auth/login', { body: { phone_number: phone, password }, headers })

export const getStatuses = (responses: TestResponse[]) => responses.map(({ status }) => status)

export const countStatus = (responses: TestResponse[], wanted: number) =>
  responses.filter(({ status }) => status === wanted).length
