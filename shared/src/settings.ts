import { z } from 'zod'
import { defineEndpoint } from './http/endpoint.ts'
import { EmailAddress } from './rules/email.ts'
import { RetentionMonths } from './rules/retention.ts'

const CountUpTo = (most: number) => z.number().int().min(1, 'At least 1').max(most, `At most ${most}`)

/** An address, or a name with one in angle brackets. A line break would smuggle in other headers. */
const Sender = z
  .string()
  .trim()
  .max(254)
  .regex(
    /^(?:[^<>\r\n]*<[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/,
    'Enter an address, or a name and address: Assay <assay@school.example>',
  )

function isSmtpUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== ''
}

/** An environment variable of the same name in capitals overrides a value. */
export const SettingValues = z.object({
  instructor_registration: z.enum(['open', 'approval', 'closed']),
  support_email: EmailAddress.nullable(),
  /** Contains a password: never returned. Null: mail goes to the outbox folder. */
  smtp_url: z
    .string()
    .trim()
    .max(1000)
    .refine(isSmtpUrl, 'Enter the mail server like smtp://user:secret@mail.school.example:587')
    .nullable(),
  mail_from: Sender,
  grading_concurrency: CountUpTo(64),
  limit_sign_in_account: CountUpTo(100_000),
  limit_sign_in_address: CountUpTo(100_000),
  limit_registration: CountUpTo(100_000),
  limit_reset: CountUpTo(100_000),
  limit_invitations: CountUpTo(100_000),
  limit_upload: CountUpTo(100_000),
  /** For courses without a rule of their own, and assignments outside a course. */
  retention_months: RetentionMonths,
})
export type SettingValues = z.infer<typeof SettingValues>
export type SettingName = keyof SettingValues
export const settingNames = SettingValues.keyof().options

/** The first that has a value counts. */
export const SettingSource = z.enum(['environment', 'stored', 'default'])
export type SettingSource = z.infer<typeof SettingSource>

const settingWithSource = <T extends z.ZodType>(value: T) => z.object({ value, source: SettingSource })

const nullish = <Shape extends Record<string, z.ZodType>>(shape: Shape) =>
  Object.fromEntries(Object.entries(shape).map(([name, value]) => [name, value.nullish()])) as {
    [Name in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Name]>>
  }

/** `smtp_url` is without name and password. */
export const SystemSettings = z.object({
  values: z.object({
    instructor_registration: settingWithSource(SettingValues.shape.instructor_registration),
    support_email: settingWithSource(z.string().nullable()),
    smtp_url: settingWithSource(z.string().nullable()),
    mail_from: settingWithSource(z.string()),
    grading_concurrency: settingWithSource(z.number()),
    limit_sign_in_account: settingWithSource(z.number()),
    limit_sign_in_address: settingWithSource(z.number()),
    limit_registration: settingWithSource(z.number()),
    limit_reset: settingWithSource(z.number()),
    limit_invitations: settingWithSource(z.number()),
    limit_upload: settingWithSource(z.number()),
    retention_months: settingWithSource(z.number()),
  }),
  /** Encrypted with another SECRET_KEY: to be entered again. */
  smtp_unreadable: z.boolean(),
  outbox_folder: z.string(),
})
export type SystemSettings = z.infer<typeof SystemSettings>

export const getPublicSettings = defineEndpoint('get', '/settings/public', {
  summary: 'The settings that public pages need',
  access: 'public',
  reply: z.object({
    support_email: z.string().nullable(),
    instructor_registration: z.enum(['open', 'approval', 'closed']),
    test_pages: z.boolean(),
  }),
})

export const getSystemSettings = defineEndpoint('get', '/admin/settings', {
  summary: 'The settings, with the source of each',
  access: ['admin'],
  reply: SystemSettings,
})

export const changeSystemSettings = defineEndpoint('patch', '/admin/settings', {
  summary: 'Change settings without a restart; null resets one to its default',
  access: ['admin'],
  body: z.object({
    ...nullish(SettingValues.shape),
    support_email: SettingValues.shape.support_email.optional(),
    smtp_url: SettingValues.shape.smtp_url.optional(),
  }),
  reply: SystemSettings,
})

export const sendTestMail = defineEndpoint('post', '/admin/settings/test-mail', {
  summary: 'Send the caller a test mail with the stored settings, and return the result',
  access: ['admin'],
  reply: z.object({ outcome: z.enum(['sent', 'written', 'failed']), message: z.string() }),
})

/** Bytes. */
export const StorageUsage = z.object({
  folder: z.string(),
  papers: z.number().int(),
  paper_bytes: z.number(),
  /** Null for an external database. */
  database_bytes: z.number().nullable(),
  free_bytes: z.number(),
  total_bytes: z.number(),
})

export const getStorageUsage = defineEndpoint('get', '/admin/storage', {
  summary: 'Where papers are stored, their size and the free space',
  access: ['admin'],
  reply: StorageUsage,
})
