import type { CliCommand } from '../runtime/command'

export function addDashboardCommand(program: CliCommand) {
  program
    .command('dashboard')
    .description('Show the counts and the recent activity')
    .run(async context => {
      const client = await context.client()
      const dashboard = await client.dashboard.get()
      if (context.isJsonOutput) return context.show(dashboard)
      context.show(dashboard.stats)
      context.terminal.out('')
      context.show(dashboard.recent_activity, ['occurred_at', 'message'])
    })
}
