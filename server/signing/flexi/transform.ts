import type { SigningStatus } from '../port'
import { newsOf, statusOf } from '../vocabulary'

export function parseWebhook(payload: string): SigningStatus[] {
  const news = newsOf(payload)
  return news ? [statusOf(news.about, news.event)] : []
}
