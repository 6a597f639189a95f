import type { Doc } from '../bson-values.ts'
import type { Store } from '../storage/store.ts'

export interface PipelineContext {
  store: Store
  database: string
  variables?: Doc | undefined
}

/** Runs a pipeline over a collection; stages that hold pipelines of their own are given it. */
export type RunPipeline = (
  context: PipelineContext,
  collectionName: string | undefined,
  pipeline: unknown,
) => Iterable<Doc>
