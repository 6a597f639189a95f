import { join } from 'node:path'
import type { SystemSettings } from '@assay/shared/settings.ts'
import type { Services } from '../../services.ts'
import type { ResolvedSettings } from './settings-store.ts'

/** A mail server's address without the name and password in it. */
export function redactSmtpUrl(smtpUrl: string | null): string | null {
  if (smtpUrl === null) return null
  const { protocol, host } = new URL(smtpUrl)
  return `${protocol}//${host}`
}

export function presentSettings(
  { values, sources, smtpUnreadable }: ResolvedSettings,
  { config }: Pick<Services, 'config'>,
): SystemSettings {
  const told = <K extends keyof typeof values>(name: K) => ({ value: values[name], source: sources[name] })
  return {
    values: {
      instructor_registration: told('instructor_registration'),
      support_email: told('support_email'),
      smtp_url: { value: redactSmtpUrl(values.smtp_url), source: sources.smtp_url },
      mail_from: told('mail_from'),
      grading_concurrency: told('grading_concurrency'),
      limit_sign_in_account: told('limit_sign_in_account'),
      limit_sign_in_address: told('limit_sign_in_address'),
      limit_registration: told('limit_registration'),
      limit_reset: told('limit_reset'),
      limit_upload: told('limit_upload'),
    },
    smtp_unreadable: smtpUnreadable,
    outbox_folder: join(config.dataDir, 'outbox'),
  }
}
