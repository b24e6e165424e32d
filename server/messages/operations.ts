import { list, type Errors } from './words'

export const errors = {
  metrics_incomplete: [
    'A process of this instance does not report its metrics',
    'सर्वर का एक प्रोसेस अपने आँकड़े नहीं दे रहा है',
  ],
  migrations_missing: ({ names }: { names: string[] }) => [
    `The database lacks the migration ${list(names)}`,
    `डेटाबेस में यह माइग्रेशन नहीं है: ${list(names)}`,
  ],
  ops_token_required: [
    'Operations require OPS_TOKEN as the bearer token',
    'इसके लिए bearer token में OPS_TOKEN भेजें',
  ],
  server_stopping: ['The server is stopping', 'सर्वर बंद हो रहा है'],
  webhook_not_found: ['Webhook not found', 'वेबहुक नहीं मिला'],
} satisfies Errors
