import type { SigningStatus } from '../../port'
import { parseSetuWebhook, toSignatureStatus } from '../schemas'

export function parseWebhook(payload: string): SigningStatus[] {
  const news = parseSetuWebhook(payload)
  return news ? [toSignatureStatus(news.about, news.event)] : []
}
