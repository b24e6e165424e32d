import { LoggableError } from '../observability/safe-errors'

/** Stops the start. Its message is one line that names the setting. */
export class ConfigError extends LoggableError {}
