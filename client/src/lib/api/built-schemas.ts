/** Replaces schemas in the built program (`build/contract-without-schemas.ts`), so that no screen waits for zod. */

/** Replies are not checked: the server is tested against the same contract. A proxy's page is no reply. */
export const anyJson = {
  safeParse: (body: unknown) =>
    typeof body === 'string'
      ? { success: false, error: new TypeError('This is not JSON') }
      : { success: true, data: body },
}

interface BodySchema {
  '~standard': { validate: (value: unknown) => unknown }
}

/** Loaded when the form is first checked. */
export const laterSchema = (load: () => Promise<BodySchema>) => ({
  '~standard': {
    version: 1,
    vendor: 'assay',
    validate: async (value: unknown) => (await load())['~standard'].validate(value),
  },
})
