import { read } from '../runtime/verbs'

export const dashboard = read({
  records: [],
  call: client => client.dashboard.get,
  show: (context, { stats, recent_activity }) => {
    context.show(stats)
    context.terminal.out('')
    context.show(recent_activity, ['occurred_at', 'message'])
  },
})
