import type { LlmProvider } from '@assay/shared/llm/llm-settings.ts'
import { hashOf } from '../../lib/security/hash-of.ts'
import type { InputHash } from './llm-call-ledger.ts'
import type { LlmMessagePart, LlmRequest } from './llm-request.ts'

/** Others (such as its check) do not reach the LLM. */
type IdentityInput = Pick<LlmRequest<unknown>, 'purpose' | 'prompt_version' | 'system' | 'parts' | 'schema_name'>

export interface CallContext {
  run_id?: number | undefined
  submission_id?: number | undefined
  /** Outside a run. */
  generation_id?: number | undefined
}

export const isDeduplicated = ({ run_id, generation_id }: CallContext): boolean =>
  run_id !== undefined || generation_id !== undefined

export function hashInputs({ system, parts }: Pick<IdentityInput, 'system' | 'parts'>): InputHash[] {
  return [hash('system', system), ...parts.map(hashPart)]
}

/** Hexadecimal sha256; parts enter by hash, as pictures are large. */
export function requestIdentity(
  question: IdentityInput,
  inputs: InputHash[],
  asked: { provider: LlmProvider; model: string },
  about: CallContext,
): string {
  const { purpose, prompt_version, schema_name } = question
  const words = [
    about.run_id ?? null,
    about.submission_id ?? null,
    purpose,
    asked.provider,
    asked.model,
    prompt_version,
    schema_name,
    // “making”, as stored identities of answers already paid for have it.
    ...(about.generation_id === undefined ? [] : [`making ${about.generation_id}`]),
  ]
  return sha256(JSON.stringify([...words, ...inputs.map((input) => [input.kind, input.sha256])]))
}

/** From 1. */
export function attemptIdentity(identity: string, n: number): string {
  return n === 1 ? identity : sha256(`${identity} ${n}`)
}

function hashPart(part: LlmMessagePart): InputHash {
  return 'text' in part ? hash('text', part.text) : hash('picture', part.picture.bytes)
}

function hash(kind: InputHash['kind'], content: string | Uint8Array): InputHash {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return { kind, sha256: sha256(bytes), bytes: bytes.byteLength }
}

function sha256(content: string | Uint8Array): string {
  return hashOf(content)
}
