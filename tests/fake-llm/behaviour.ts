import { z } from 'zod'

/**
 * What to do with one question. Everything that answers at all is `billed`, as a provider would.
 * `honest` and `gullible` grade; the next ones answer honestly and spoil it.
 */
export const Behaviour = z.discriminatedUnion('do', [
  z.object({ do: z.literal('honest') }),
  /** Obeys what a student's words ask for. */
  z.object({ do: z.literal('gullible') }),
  /** This value as JSON, or these very words. */
  z.object({ do: z.literal('say'), value: z.unknown().optional(), text: z.string().optional() }),
  /** Half of the JSON, ended as if it were whole. */
  z.object({ do: z.literal('broken_json') }),
  z.object({ do: z.literal('wrong_ids') }),
  z.object({ do: z.literal('out_of_range') }),
  z.object({ do: z.literal('foreign_quotes') }),
  /** In a code fence, which is wrapping paper and not wrong. */
  z.object({ do: z.literal('fenced') }),
  z.object({ do: z.literal('refuse') }),
  /** Half of the JSON, ended for its length. */
  z.object({ do: z.literal('cut_off') }),
  /** The connection ends: before a byte, or in the middle of the answer (which is billed). */
  z.object({ do: z.literal('hang_up'), after: z.enum(['nothing', 'half']).default('half') }),
  /** Never answers, and never bills. */
  z.object({ do: z.literal('stall') }),
  /** The answer comes in so many pieces, with a pause before each. */
  z.object({ do: z.literal('slow'), pieces: z.number().int().min(1), pauseMs: z.number().min(0) }),
  z.object({
    do: z.literal('error'),
    status: z.number().int().min(300).max(599),
    message: z.string().default('Something went wrong.'),
    code: z.string().default('fake_error'),
    headers: z.record(z.string(), z.string()).default({}),
    /** This instead of the protocol's own shape of an error. */
    body: z.string().optional(),
  }),
  /** Refuses the key and repeats it in its message, as careless servers do. */
  z.object({ do: z.literal('echo_key'), status: z.number().int().default(401) }),
  /** A page of a web server, with status 200. */
  z.object({ do: z.literal('web_page') }),
  /** An answer whose envelope is no JSON, with status 200. */
  z.object({ do: z.literal('garbage') }),
])
export type Behaviour = z.infer<typeof Behaviour>

/** A behaviour for the next so many questions that match. */
export const ScriptStep = z.object({
  behaviour: Behaviour,
  times: z.number().int().min(1).default(1),
  /** A regular expression over the question's words; without one every question matches. */
  when: z.string().optional(),
})
export type ScriptStep = z.infer<typeof ScriptStep>

/** How it is when no step says otherwise; may be changed while it runs. */
export const Settings = z.object({
  mode: z.enum(['honest', 'gullible']),
  /** Before each answer, in ms. */
  latencyMs: z.number().min(0),
  /** An answer under a known `Idempotency-Key` is given again and not billed again. */
  idempotency: z.boolean(),
  /** False for a server that refuses `response_format` and its like. */
  takesSchema: z.boolean(),
  /** False for a model without eyes. */
  takesPictures: z.boolean(),
  /** False for a server that does not count tokens. */
  counts: z.boolean(),
  /** The only key it accepts; null for any or none. */
  key: z.string().nullable(),
  /** The only model it has; null for any. */
  model: z.string().nullable(),
  /** What it reads on a picture nobody told it about. */
  transcript: z.string(),
})
export type Settings = z.infer<typeof Settings>

export const defaultSettings: Settings = {
  mode: 'honest',
  latencyMs: 0,
  idempotency: false,
  takesSchema: true,
  takesPictures: true,
  counts: true,
  key: null,
  model: null,
  transcript: '',
}
