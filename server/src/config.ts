import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { RetentionMonths } from '@assay/shared/rules/retention.ts'
import { SettingValues, settingNames } from '@assay/shared/settings.ts'
import { z } from 'zod'
import { parseS3Url, type S3Location } from './cluster/s3/s3-location.ts'
import { LlmEnv, llmEnvironmentProblems, llmFromEnvironment } from './llm-from-environment.ts'

const Switch = z.enum(['on', 'off'])
const Count = z.coerce.number().int().min(1)
const Role = z.enum(['all', 'web', 'worker', 'gateway'])
const Limit = Count.max(100_000)
const SECRET_LENGTH = 32

const S3Url = z.string().transform((text, context) => {
  const parsed = parseS3Url(text)
  if (typeof parsed !== 'string') return parsed
  context.addIssue({ code: 'custom', message: parsed })
  return z.NEVER
})

const RedisUrl = z.string().refine(isRedisUrl, 'must be redis://…, rediss://… or unix:///path/of/socket')

/** `.env.example` explains each variable. */
const Env = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  ROLE: Role.default('all'),
  API_URL: z.url({ protocol: /^https?$/ }).optional(),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  SECRET_KEY: z.string().min(SECRET_LENGTH, 'must be at least 32 characters').optional(),
  SECRET_KEY_PREVIOUS: z.string().optional(),
  MONGODB_URL: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\//, 'must begin with mongodb:// or mongodb+srv://')
    .optional(),
  REDIS_URL: RedisUrl.optional(),
  FILES_URL: S3Url.optional(),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  SMTP_URL: SettingValues.shape.smtp_url.unwrap().optional(),
  MAIL_FROM: SettingValues.shape.mail_from.default('Assay <assay@localhost>'),
  TEST_PAGES: Switch.optional(),
  GRADING_CONCURRENCY: Count.max(64).default(4),
  AI_PAPERS: Count.max(2000).default(320),
  READING_PROCESSES: Count.max(16).default(2),
  READING_SECONDS_PER_PAGE: Count.default(60),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  METRICS_TOKEN: z.string().min(SECRET_LENGTH, 'must be at least 32 characters').optional(),
  TRUST_PROXY: z.coerce.number().int().min(0).default(0),
  DEMO: Switch.optional(),
  INSTRUCTOR_REGISTRATION: SettingValues.shape.instructor_registration.optional(),
  SUPPORT_EMAIL: SettingValues.shape.support_email.unwrap().optional(),
  LTI_PRIVATE_ADDRESSES: Switch.optional(),
  LIMIT_SIGN_IN_ACCOUNT: Limit.default(10),
  LIMIT_SIGN_IN_ADDRESS: Limit.default(100),
  LIMIT_REGISTRATION: Limit.default(600),
  LIMIT_RESET: Limit.default(20),
  LIMIT_INVITATIONS: Limit.default(1000),
  LIMIT_UPLOAD: Limit.default(600),
  RETENTION_MONTHS: z.coerce.number().pipe(RetentionMonths).default(0),
  MIN_FREE_DISK_MB: Count.max(10_000_000).default(1024),
  SHUTDOWN_DELAY_SECONDS: z.coerce.number().int().min(0).max(300).default(0),
  SHUTDOWN_TIMEOUT_SECONDS: Count.max(3600).default(10),
  ...LlmEnv.shape,
})

export type Config = ReturnType<typeof readConfig>

export class ConfigError extends Error {
  override name = 'ConfigError'
}

const loopbackHosts = new Set(['127.0.0.1', 'localhost', '::1', '[::1]'])

const secretFile = (dataDir: string) => join(dataDir, 'secret-key')

/** Null also for a short secret: its writing was interrupted, so it has signed nothing. */
function readSecret(dataDir: string): string | null {
  const file = secretFile(dataDir)
  const stored = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  return stored.length >= SECRET_LENGTH ? stored : null
}

function loadOrCreateSecret(dataDir: string): string {
  const stored = readSecret(dataDir)
  if (stored !== null) return stored
  const file = secretFile(dataDir)
  const secret = randomBytes(32).toString('hex')
  const staging = `${file}.${process.pid}`
  writeFileSync(staging, secret, { mode: 0o600, flush: true })
  renameSync(staging, file)
  return secret
}

function missingForSeveral({
  ROLE: role,
  MONGODB_URL,
  FILES_URL,
  DATA_DIR,
}: Record<string, string | undefined>): string[] {
  if (role !== 'web' && role !== 'worker') return []
  const problems: string[] = []
  if (!MONGODB_URL) problems.push(`MONGODB_URL: required for a ${role}; the embedded database is for one process`)
  if (!FILES_URL && !DATA_DIR)
    problems.push(`FILES_URL: required for a ${role}; or a DATA_DIR on a disk that all processes share`)
  return problems
}

export type StorageConfig = Pick<Config, 'dataDir' | 'mongodbUrl' | 'filesLocation'> & {
  secretKey: string | null
  previousSecretKey: string | null
}

type FilesEnv = Pick<z.output<typeof Env>, 'FILES_URL' | 'AWS_ACCESS_KEY_ID' | 'AWS_SECRET_ACCESS_KEY'>

function filesLocationFrom(env: FilesEnv): S3Location | null {
  const { FILES_URL, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env
  if (!FILES_URL) return null
  return { ...FILES_URL, credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : null }
}

/** Creates nothing: a backup is restored only into an empty folder. @throws {ConfigError} */
export function readStorageConfig(env: Record<string, string | undefined>): StorageConfig {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = Env.pick({
    DATA_DIR: true,
    MONGODB_URL: true,
    SECRET_KEY: true,
    SECRET_KEY_PREVIOUS: true,
    FILES_URL: true,
    AWS_ACCESS_KEY_ID: true,
    AWS_SECRET_ACCESS_KEY: true,
  }).safeParse(given)
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new ConfigError(`These settings are invalid (see .env.example):\n${problems.join('\n')}`)
  }
  const { DATA_DIR, MONGODB_URL, SECRET_KEY } = parsed.data
  const dataDir = resolve(DATA_DIR)
  return {
    dataDir,
    mongodbUrl: MONGODB_URL ?? null,
    filesLocation: filesLocationFrom(parsed.data),
    secretKey: SECRET_KEY ?? readSecret(dataDir),
    previousSecretKey: parsed.data.SECRET_KEY_PREVIOUS ?? null,
  }
}

/** Empty variables are unset. @throws {ConfigError} naming every mistake */
export function readConfig(env: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = Env.safeParse(given)
  const problems = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  const gateway = given.ROLE === 'gateway'
  if (given.NODE_ENV === 'production' && !given.SECRET_KEY && !gateway)
    problems.push('SECRET_KEY: required in production; at least 32 characters, and the same on every machine')
  if (gateway && !given.API_URL)
    problems.push('API_URL: required for a gateway; the address of the API server behind it')
  problems.push(...missingForSeveral(given))
  if (parsed.success) problems.push(...llmEnvironmentProblems(parsed.data))
  if (!parsed.success || problems.length > 0)
    throw new ConfigError(`These settings are invalid (see .env.example):\n${problems.map((p) => `  ${p}`).join('\n')}`)
  const settings = parsed.data
  const dataDir = resolve(settings.DATA_DIR)
  try {
    if (!gateway) mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new ConfigError(`DATA_DIR: ${dataDir} cannot be created or written to`, { cause })
  }
  const production = settings.NODE_ENV === 'production'
  const publicUrl = settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`
  const local = loopbackHosts.has(settings.HOST) && loopbackHosts.has(new URL(publicUrl).hostname)
  const privateLms = settings.LTI_PRIVATE_ADDRESSES ? settings.LTI_PRIVATE_ADDRESSES === 'on' : local && !production
  const values: SettingValues = {
    instructor_registration: settings.INSTRUCTOR_REGISTRATION ?? (local ? 'open' : 'approval'),
    support_email: settings.SUPPORT_EMAIL ?? null,
    smtp_url: settings.SMTP_URL ?? null,
    mail_from: settings.MAIL_FROM,
    grading_concurrency: settings.GRADING_CONCURRENCY,
    limit_sign_in_account: settings.LIMIT_SIGN_IN_ACCOUNT,
    limit_sign_in_address: settings.LIMIT_SIGN_IN_ADDRESS,
    limit_registration: settings.LIMIT_REGISTRATION,
    limit_reset: settings.LIMIT_RESET,
    limit_invitations: settings.LIMIT_INVITATIONS,
    limit_upload: settings.LIMIT_UPLOAD,
    retention_months: settings.RETENTION_MONTHS,
  }
  return {
    role: settings.ROLE,
    apiUrl: settings.API_URL ?? null,
    production,
    test: settings.NODE_ENV === 'test',
    port: settings.PORT,
    host: settings.HOST,
    publicUrl,
    dataDir,
    secretKey: settings.SECRET_KEY ?? (gateway ? '' : loadOrCreateSecret(dataDir)),
    /** Null where the key has not changed; else stored secrets are re-encrypted. */
    previousSecretKey: settings.SECRET_KEY_PREVIOUS ?? null,
    mongodbUrl: settings.MONGODB_URL ?? null,
    redisUrl: settings.REDIS_URL ?? null,
    filesLocation: filesLocationFrom(settings),
    testPages: settings.TEST_PAGES ? settings.TEST_PAGES === 'on' : !production,
    readingProcesses: settings.READING_PROCESSES,
    papersWithLlms: settings.AI_PAPERS,
    readingSecondsPerPage: settings.READING_SECONDS_PER_PAGE,
    minFreeDiskBytes: settings.MIN_FREE_DISK_MB * 2 ** 20,
    shutdownDelayMs: settings.SHUTDOWN_DELAY_SECONDS * 1000,
    shutdownTimeoutMs: settings.SHUTDOWN_TIMEOUT_SECONDS * 1000,
    logLevel: settings.LOG_LEVEL,
    metricsToken: settings.METRICS_TOKEN ?? null,
    trustProxy: settings.TRUST_PROXY,
    ltiPrivateAddresses: privateLms,
    ltiPlainHttp: privateLms && !production,
    llm: llmFromEnvironment(settings, production),
    /** On this machine alone, outside production. */
    demo: settings.ROLE === 'all' && settings.DEMO !== 'off' && local && !production,
    /** From the environment or, if not in `settingsFromEnvironment`, the default. */
    settings: values,
    settingsFromEnvironment: new Set(settingNames.filter((name) => given[name.toUpperCase()] !== undefined)),
  }
}

/** `redis[s]://[[user]:password@]host[:port][/number]` or `unix://[user:password@]/path[?db=number]`. */
function isRedisUrl(text: string): boolean {
  if (/^unix:\/\/([^@/]*@)?\/[^?#]+(\?db=\d+)?$/.test(text)) return true
  const url = URL.parse(text)
  return url !== null && /^rediss?:$/.test(url.protocol) && url.hostname !== '' && /^\/?\d*$/.test(url.pathname)
}
