import { runServer } from './process/run'

await runServer(process.env)
