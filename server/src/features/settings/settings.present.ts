import { join } from 'node:path'
import type { SystemSettings } from '@assay/shared/settings.ts'
import type { Services } from '../../services.ts'
import type { ResolvedSettings } from './settings-store.ts'

/** Without the name and password in it. */
export function redactSmtpUrl(smtpUrl: string | null): string | null {
  if (smtpUrl === null) return null
  const { protocol, host } = new URL(smtpUrl)
  return `${protocol}//${host}`
}

export function presentSettings(
  { values, sources, smtpUnreadable }: ResolvedSettings,
  { config }: Pick<Services, 'config'>,
): SystemSettings {
  const withSource = <K extends keyof typeof values>(name: K) => ({ value: values[name], source: sources[name] })
  return {
    values: {
      instructor_registration: withSource('instructor_registration'),
      support_email: withSource('support_email'),
      smtp_url: { value: redactSmtpUrl(values.smtp_url), source: sources.smtp_url },
      mail_from: withSource('mail_from'),
      grading_concurrency: withSource('grading_concurrency'),
      limit_sign_in_account: withSource('limit_sign_in_account'),
      limit_sign_in_address: withSource('limit_sign_in_address'),
      limit_registration: withSource('limit_registration'),
      limit_reset: withSource('limit_reset'),
      limit_invitations: withSource('limit_invitations'),
      limit_upload: withSource('limit_upload'),
      retention_months: withSource('retention_months'),
    },
    smtp_unreadable: smtpUnreadable,
    outbox_folder: join(config.dataDir, 'outbox'),
  }
}
