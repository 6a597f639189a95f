import type { Health } from '@assay/shared/admin.ts'
import { LlmError } from '../../grader/llm/errors/llm-error.ts'
import { LlmCallModel } from '../../records/llm/llm-call.model.ts'
import type { Services } from '../../services.ts'
import { resolveSystemLlm } from './resolve-llm.ts'

const HOUR_MS = 60 * 60 * 1000
const MAX_CALLS = 500

export async function providerHealth({
  config,
  clock,
}: Pick<Services, 'config' | 'clock'>): Promise<Pick<Health, 'state' | 'detail'> | null> {
  const { settings, keyUnreadable } = await resolveSystemLlm(config)
  if (settings.provider === 'offline') return null
  const name = `${settings.provider}/${settings.model}`
  if (keyUnreadable)
    return { state: 'bad', detail: `${name}: its key was encrypted with a different SECRET_KEY. Enter it again.` }
  const since = new Date(clock.now().getTime() - HOUR_MS)
  const calls = await LlmCallModel.find(
    { payer: 'system', at: { $gte: since }, outcome: { $ne: 'asking' } },
    { error_code: 1, paid: 1 },
  )
    .sort({ at: -1 })
    .limit(MAX_CALLS)
    .lean()
  // Errors about one paper say nothing about the provider.
  const failed = calls.filter(
    ({ error_code }) => error_code !== null && new LlmError(error_code, '').scope !== 'request',
  )
  const answered = calls.filter(({ paid }) => paid).length
  if (answered + failed.length === 0) return { state: 'good', detail: `${name}; no requests in the last hour.` }
  const detail = `${name}. In the last hour it answered ${answered} times and failed ${failed.length} times.`
  if (failed.length === 0) return { state: 'good', detail }
  return { state: calls[0]?.error_code != null && answered < failed.length ? 'bad' : 'warn', detail }
}
