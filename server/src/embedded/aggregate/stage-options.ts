import { type Doc, isDoc, typeNameOf } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'

type Code = ConstructorParameters<typeof MongoError>[0]

interface StageOptions {
  known: string[]
  unknown: (option: string) => [Code, string]
  required?: { options: string[]; error: [Code, string] }
}

const idl =
  (stage: string) =>
  (option: string): [Code, string] => ['IDLUnknownField', `BSON field '${stage}.${option}' is an unknown field.`]

const STAGES = new Map<string, StageOptions>(
  Object.entries({
    $lookup: {
      known: ['from', 'as', 'localField', 'foreignField', 'let', 'pipeline'],
      unknown: (option) => ['FailedToParse', `unknown argument to $lookup: ${option}`],
    },
    $unwind: {
      known: ['path', 'preserveNullAndEmptyArrays', 'includeArrayIndex'],
      unknown: (option) => ['Location28811', `unrecognized option to $unwind stage: ${option}`],
      required: { options: ['path'], error: ['Location28812', 'no path specified to $unwind stage'] },
    },
    $bucket: {
      known: ['groupBy', 'boundaries', 'default', 'output'],
      unknown: (option) => ['Location40197', `Unrecognized option to $bucket: ${option}.`],
      required: {
        options: ['groupBy', 'boundaries'],
        error: ['Location40198', "$bucket requires 'groupBy' and 'boundaries' to be specified."],
      },
    },
    $bucketAuto: {
      known: ['groupBy', 'buckets', 'output', 'granularity'],
      unknown: (option) => ['Location40245', `Unrecognized option to $bucketAuto: ${option}.`],
      required: {
        options: ['groupBy', 'buckets'],
        error: ['Location40246', "$bucketAuto requires 'groupBy' and 'buckets' to be specified"],
      },
    },
    $sample: {
      known: ['size'],
      unknown: (option) => ['Location28748', `unrecognized option to $sample: ${option}`],
      required: { options: ['size'], error: ['Location28749', '$sample stage must specify a size'] },
    },
    $replaceRoot: {
      known: ['newRoot'],
      unknown: idl('$replaceRoot'),
      required: {
        options: ['newRoot'],
        error: ['Location40414', "BSON field '$replaceRoot.newRoot' is missing but a required field"],
      },
    },
    $unionWith: { known: ['coll', 'pipeline'], unknown: idl('$unionWith') },
    $merge: { known: ['into', 'on', 'let', 'whenMatched', 'whenNotMatched'], unknown: idl('$merge') },
    $setWindowFields: { known: ['partitionBy', 'sortBy', 'output'], unknown: idl('$setWindowFields') },
    $densify: { known: ['field', 'partitionByFields', 'range'], unknown: idl('$densify') },
    $fill: { known: ['sortBy', 'partitionBy', 'partitionByFields', 'output'], unknown: idl('$fill') },
  } satisfies Record<string, StageOptions>),
)

/** Refuses what MongoDB refuses of a stage when it reads the pipeline, before anything of it is run. */
export function assertStage(name: string, argument: unknown): void {
  if (isDoc(argument)) assertOptionsOf(name, argument)
  if (name === '$unwind') assertUnwind(argument)
  else if (name === '$group') assertGroup(argument)
  else if (name === '$count') assertCount(argument)
  else if (name === '$facet') assertFacet(argument)
  else if (name === '$unset') assertUnset(argument)
  else if ((name === '$set' || name === '$addFields') && !isDoc(argument)) {
    throw new MongoError('Location40272', `${name} specification stage must be an object, got ${typeNameOf(argument)}`)
  } else if (name === '$project' && !isDoc(argument)) {
    throw new MongoError('Location15969', '$project specification must be an object')
  } else if (name === '$merge' && isDoc(argument)) assertMerge(argument)
  else if (name === '$sample' && !isDoc(argument)) {
    throw new MongoError('Location28745', 'the $sample stage specification must be an object')
  }
}

function assertOptionsOf(name: string, argument: Doc): void {
  const stage = STAGES.get(name)
  if (!stage) return
  const unknown = Object.keys(argument).find((option) => !stage.known.includes(option))
  if (unknown !== undefined) throw new MongoError(...stage.unknown(unknown))
  if (stage.required?.options.some((option) => argument[option] === undefined)) {
    throw new MongoError(...stage.required.error)
  }
}

function assertUnwind(argument: unknown): void {
  const { path, preserveNullAndEmptyArrays, includeArrayIndex }: Doc = isDoc(argument) ? argument : { path: argument }
  if (typeof argument !== 'string' && !isDoc(argument)) {
    throw new MongoError(
      'Location15981',
      `expected either a string or an object as specification for $unwind stage, got ${typeNameOf(argument)}`,
    )
  }
  if (typeof path !== 'string') {
    throw new MongoError('Location28808', `expected a string as the path for $unwind stage, got ${typeNameOf(path)}`)
  }
  if (!path.startsWith('$')) {
    throw new MongoError('Location28818', `path option to $unwind stage should be prefixed with a '$': ${path}`)
  }
  if (preserveNullAndEmptyArrays !== undefined && typeof preserveNullAndEmptyArrays !== 'boolean') {
    throw new MongoError(
      'Location28809',
      `expected a boolean for the preserveNullAndEmptyArrays option to $unwind stage, got ${typeNameOf(preserveNullAndEmptyArrays)}`,
    )
  }
  if (includeArrayIndex === undefined) return
  if (typeof includeArrayIndex !== 'string' || includeArrayIndex === '') {
    throw new MongoError(
      'Location28810',
      `expected a non-empty string for the includeArrayIndex  option to $unwind stage, got ${typeNameOf(includeArrayIndex)}`,
    )
  }
  if (includeArrayIndex.startsWith('$')) {
    throw new MongoError(
      'Location28822',
      `includeArrayIndex option to $unwind stage should not be prefixed with a '$': ${includeArrayIndex}`,
    )
  }
}

function assertUnset(argument: unknown): void {
  const paths: unknown[] = Array.isArray(argument) ? argument : [argument]
  if (paths.length === 0 || (!Array.isArray(argument) && typeof argument !== 'string')) {
    throw new MongoError(
      'Location31002',
      '$unset specification must be a string or an array of strings with at least one field',
    )
  }
  if (paths.some((path) => typeof path !== 'string')) {
    throw new MongoError(
      'Location31120',
      '$unset specification must be a string or an array containing only string values',
    )
  }
}

/** Those of MongoDB 8.0; `$accumulator` is refused with the other scripts. */
const ACCUMULATORS = new Set([
  ...['$accumulator', '$addToSet', '$avg', '$bottom', '$bottomN', '$count', '$first', '$firstN', '$last', '$lastN'],
  ...['$max', '$maxN', '$median', '$mergeObjects', '$min', '$minN', '$percentile', '$push', '$stdDevPop'],
  ...['$stdDevSamp', '$sum', '$top', '$topN'],
])

function assertGroup(argument: unknown): void {
  if (!isDoc(argument)) throw new MongoError('Location15947', "a group's fields must be specified in an object")
  for (const [field, given] of Object.entries(argument)) {
    if (field === '_id') continue
    const operators = isDoc(given) ? Object.keys(given) : []
    const [operator] = operators
    if (!operator?.startsWith('$')) {
      throw new MongoError('Location40234', `The field '${field}' must be an accumulator object`)
    }
    if (field.includes('.')) throw new MongoError('Location40235', `The field name '${field}' cannot contain '.'`)
    if (field.startsWith('$')) {
      throw new MongoError('Location40236', `The field name '${field}' cannot be an operator name`)
    }
    if (operators.length > 1) {
      throw new MongoError('Location40238', `The field '${field}' must specify one accumulator`)
    }
    if (!ACCUMULATORS.has(operator)) throw new MongoError('Location15952', `unknown group operator '${operator}'`)
  }
  if (!('_id' in argument)) {
    throw new MongoError('Location15955', 'a group specification must include an _id')
  }
}

function assertCount(field: unknown): void {
  if (typeof field !== 'string' || field === '') {
    throw new MongoError('Location40156', 'the count field must be a non-empty string')
  }
  if (field.startsWith('$')) {
    throw new MongoError('Location40158', 'the count field cannot be a $-prefixed path')
  }
  if (field.includes('.')) throw new MongoError('Location40160', "the count field cannot contain '.'")
}

/** Their own facets, and those that write, are not for a facet. */
const NOT_IN_FACETS = ['$facet', '$out', '$merge', '$collStats', '$geoNear', '$indexStats', '$changeStream']

function assertFacet(argument: unknown): void {
  if (!isDoc(argument) || Object.keys(argument).length === 0) {
    throw new MongoError('Location40169', 'the $facet specification must be a non-empty object')
  }
  for (const [name, stages] of Object.entries(argument)) {
    if (!Array.isArray(stages)) {
      throw new MongoError('Location40170', `arguments to $facet must be arrays, ${name} is type ${typeNameOf(stages)}`)
    }
    for (const stage of stages) {
      const found = isDoc(stage) ? NOT_IN_FACETS.find((other) => other in stage) : undefined
      if (found) {
        throw new MongoError('Location40600', `${found} is not allowed to be used within a $facet stage`)
      }
    }
  }
}

function assertMerge({ whenMatched, whenNotMatched }: Doc): void {
  const modes: [string, unknown, string[]][] = [
    ['whenMatched', whenMatched, ['replace', 'merge', 'keepExisting', 'fail']],
    ['whenNotMatched', whenNotMatched, ['insert', 'discard', 'fail']],
  ]
  for (const [option, mode, known] of modes) {
    if (mode === undefined || Array.isArray(mode) || known.includes(String(mode))) continue
    throw new MongoError(
      'BadValue',
      `Enumeration value '${String(mode)}' for field '$merge.${option}' is not a valid value.`,
    )
  }
}
