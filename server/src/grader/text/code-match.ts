const KEYWORDS = new Set(
  `and as boolean break by case catch char class const def desc asc distinct do double elif else end endfor endfunction endif endwhile except
  exists false final finally float for foreach from func function group having if import in inner input insert int into is join let like
  limit list long loop mod new next none not null on or order output print println procedure public private protected range repeat return
  returns select self set static str string switch system.out.println then this throw to true try until update values var void where while
  with yield console.log len length printf cout echo`.split(/\s+/),
)

const TOKEN = /[\p{L}_][\p{L}\p{N}_]*|\d+(?:\.\d+)?|'[^'\n]*'|"[^"\n]*"|[=!<>+\-*/%]=|\+\+|--|&&|\|\||[^\s\p{L}\p{N}]/gu
const NOISE = new Set([';', ':', '{', '}'])

const HEADER =
  /^\s*(?:(?:public|private|protected|static|final|async)\s+)*(?:def|function|func|sub|procedure|fn|void|int|double|float|boolean|bool|string|char|long)\b[\s\w[\]<>]*?\b(\w+)\s*\(([^)]*)\)/im
const LOOP = /\b(?:for|foreach|while|repeat|loop)\b/i
const TEST = /\b(?:if|elif|elseif|case|switch|when)\b/i
const RETURN = /\breturn\b\s*\S/i
const OUTPUT = /\b(?:print\w*|output|echo|cout|console\.log|system\.out|write(?:line|ln)?)\b/i
const START =
  /^\s*(?:(?:var|let|const|int|double|float|string|char|long|auto|set|declare)\s+)?(\w+)\s*(?:=|:=|←|<-)\s*(\[\s*\]|\{\s*\}|''|""|-?\d+(?:\.\d+)?|true|false|none|null)\s*;?\s*$/im
/** A loop and its count in one expression, or none: another program, that may do the same. */
const IN_ONE = /\breturn\b[^\n]*(?:\bfor\b|\b(?:sum|len|count|filter|map|reduce|any|all|sorted|min|max|join)\s*\()/i

interface CodeMatch {
  share: number
  confidence: number
}

const FOUND: CodeMatch = { share: 1, confidence: 0.85 }
const LIKELY: CodeMatch = { share: 1, confidence: 0.7 }
const HALF: CodeMatch = { share: 0.5, confidence: 0.5 }
const ABSENT: CodeMatch = { share: 0, confidence: 0.8 }
const OTHER_WAY: CodeMatch = { share: 0.75, confidence: 0.55 }

const NEARLY = 0.85

/** By the line's purpose (header, start value, loop, test, result), else its tokens. Variables may have any name. */
export function matchCode(line: string, program: string, question: string): CodeMatch {
  const asked = new Set(tokensOf(question))
  const [first = ''] = line.split('\n')
  const header = HEADER.exec(first)
  if (header) return matchHeader(header, program)
  const otherWay = IN_ONE.test(program)
  const start = START.exec(first)
  if (start) {
    const starts = program.split('\n').flatMap((one) => START.exec(one)?.[2] ?? [])
    if (starts.includes(start[2] ?? '')) return FOUND
    return otherWay ? OTHER_WAY : starts.length > 0 ? HALF : ABSENT
  }
  const shape = [LOOP, TEST].find((pattern) => pattern.test(first.split(/[\s(:]/)[0] ?? ''))
  if (shape) {
    const same = program.split('\n').filter((one) => shape.test(one))
    if (same.length === 0) return otherWay ? OTHER_WAY : ABSENT
    if (shape === LOOP) return LIKELY
    return Math.max(...same.map((one) => inOrder(first, one, asked))) >= NEARLY ? FOUND : HALF
  }
  if (/^\s*return\b/i.test(first)) return RETURN.test(program) ? LIKELY : ABSENT
  if (OUTPUT.test(first) && !OUTPUT.test(program)) return ABSENT
  const agreement = inOrder(line, program, asked)
  return agreement >= 0.99 ? FOUND : agreement >= NEARLY ? HALF : ABSENT
}

function matchHeader([, name = '', parameters = '']: RegExpExecArray, program: string): CodeMatch {
  const own = HEADER.exec(program)
  if (!own) return ABSENT
  const count = (list: string) => list.split(',').filter((one) => one.trim() !== '').length
  return own[1]?.toLowerCase() === name.toLowerCase() && count(own[2] ?? '') === count(parameters) ? FOUND : HALF
}

/** Longest common subsequence. */
function inOrder(line: string, program: string, asked: ReadonlySet<string>): number {
  const wanted = namedAlike(tokensOf(line), asked)
  const given = namedAlike(tokensOf(program), asked)
  let above = new Array<number>(given.length + 1).fill(0)
  for (const token of wanted) {
    const row = [0]
    for (const [j, other] of given.entries())
      row.push(Math.max(above[j + 1] ?? 0, row[j] ?? 0, token === other ? (above[j] ?? 0) + 1 : 0))
    above = row
  }
  return wanted.length > 0 ? (above[given.length] ?? 0) / wanted.length : 0
}

const namedAlike = (tokens: readonly string[], asked: ReadonlySet<string>): string[] =>
  tokens.map((token) => (/^[\p{L}_]/u.test(token) && !KEYWORDS.has(token) && !asked.has(token) ? '$' : token))

const tokensOf = (code: string): string[] =>
  (code.normalize('NFKC').replace(/[“”]/g, '"').replace(/[‘’]/g, "'").match(TOKEN) ?? [])
    .map((token) => token.toLowerCase().replace(/^"(.*)"$/, "'$1'"))
    .filter((token) => !NOISE.has(token))
