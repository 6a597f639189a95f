/**
 * Each pattern names a grader (or marks, or its instructions) and what to do, within a sentence, so that “ignore air
 * resistance” or “the model predicts” stay answers.
 */
const GRADER = String.raw`(?:grader|grading\s+(?:system|assistant|model|ai|bot|tool|software|engine)|marker|examiner|evaluator|assessor|(?:ai|llm|gpt|chatgpt|claude|gemini|copilot)(?:\s+(?:grader|model|assistant|system))?|language\s+model|automated\s+(?:grader|marker|system)|auto-?grader)`
const TEACHER = String.raw`(?:teacher|professor|prof|instructor|lecturer|tutor|examiner|head\s+of\s+department|principal|dean)`
const MARKS = '(?:points?|marks?|score|scores|grade|grades|credit)'
const WORK = '(?:answers?|submission|paper|response|essay|work|exam|test|quiz|solution)'
const BEST = String.raw`(?:full|maximum|max|maximal|perfect|highest|top|100\s*%?)`
const RULES = String.raw`(?:instructions?|prompts?|rubrics?|guidelines?|grading|marking|answer\s+key|mark(?:ing)?\s+scheme|scoring)`
const upTo = (letters: number) => String.raw`[^.!?\n]{0,${letters}}`

const ENGLISH_PATTERNS = [
  // Orders
  String.raw`\b(?:ignore|disregard|forget|override|overrule|bypass|discard|neglect|do\s+not\s+(?:follow|use|apply)|don't\s+(?:follow|use|apply))\b${upTo(40)}\b(?:previous|prior|above|earlier|preceding|all|any|other|your|the)\b${upTo(30)}\b${RULES}\b(?!\s+(?:in|of|on|from|for)\s+(?:the|a|an)\s+(?:comments?|code|program|manual|packet|box|recipe|cpu|memory|loop)\b)`,
  String.raw`\b(?:give|award|assign|grant|mark|grade|score|rate|allocate|record|enter)\b${upTo(50)}\b(?:${BEST}|all\s+(?:the\s+)?)\s*(?:possible\s+)?${MARKS}?\b${upTo(30)}\b(?:${MARKS}|paper|submission|student|answer|regardless|correct)\b`,
  String.raw`\b(?:give|award|assign|grant)\b${upTo(30)}\b(?:me|this|him|her|them|(?:the|this)\s+(?:student|paper|submission|answer))\b${upTo(30)}\b(?:${MARKS}|an?\s+a\+?|100)\b`,
  String.raw`\b(?:mark|grade|score|treat|consider|rate|evaluate|count|accept)\b${upTo(30)}\b(?:this|these|my|the|all|every|any)\b${upTo(20)}\b(?:${WORK}|student|questions?)\b${upTo(25)}\b(?:as\s+(?:fully\s+|entirely\s+|completely\s+)?(?:correct|right|perfect|complete|excellent)|10\s*\/\s*10|100)`,
  String.raw`\bset\b${upTo(20)}\b(?:${MARKS}|confidence)\b${upTo(15)}\bto\s+(?:the\s+)?(?:full|max\b|maximum|highest|perfect|10\s*\/\s*10|100\s*%)`,
  String.raw`\b(?:do\s+not|don't|never|no\s+need\s+to)\b${upTo(20)}\b(?:deduct|take\s+off|subtract)\b${upTo(30)}\b${MARKS}\b`,
  String.raw`\b(?:do\s+not|don't|never|no\s+need\s+to)\s+(?:flag|penali[sz]e|mark\s+down|grade|review|check|evaluate|report)\b${upTo(15)}\b(?:this|my|the\s+student'?s?)\b${upTo(20)}\b(?:${WORK}|grade|score|student)\b`,
  String.raw`\b(?:skip|omit|stop|bypass|disable|suspend)\s+(?:the\s+|all\s+|your\s+|any\s+)?(?:grading|marking|evaluation|rubric|plagiarism\s+check|mark\s+scheme)\b`,
  String.raw`(?:^|[.!?:;]\s+)(?:please\s+)?(?:respond|reply|answer|output|return)\s+(?:only\s+|just\s+)?(?:with\s+)?${upTo(25)}\b(?:${BEST}\s+(?:${MARKS})|10\s*\/\s*10|100\s*%|"?correct"?\s+(?:for|to)\s+(?:all|every))`,
  // Who is spoken to, and what they should be
  String.raw`\b(?:you\s+are|act\s+as|pretend\s+(?:to\s+be|you(?:'re|\s+are))|role-?play\s+as|behave\s+(?:as|like)|imagine\s+you\s+are|take\s+the\s+role\s+of|simulate)\s+(?:now\s+)?(?:an?\s+|the\s+|my\s+)?(?:[a-z]+\s+){0,2}(?:${GRADER}|(?:kind|lenient|generous|nice|friendly|easy)\s+${TEACHER})\b`,
  String.raw`\bfrom\s+now\s+on\b${upTo(30)}\byou\b${upTo(50)}\b(?:grade|mark|score|award|give|accept|ignore)\b`,
  String.raw`\bas\s+an?\s+(?:[a-z]+\s+)?(?:ai|llm|automated|language)\s+(?:grader|model|assistant|system|marker)\b`,
  String.raw`\b(?:note|message|instructions?|attention|dear|hey|hello|hi|reminder)\b[\s:,]{1,3}(?:to\s+|for\s+)?(?:the\s+|an?\s+|any\s+|all\s+|my\s+)?${GRADER}s?\b`,
  String.raw`\b(?:note|message|dear|hey|hello|hi|sorry|please)\b[\s:,]{1,3}(?:to\s+)?(?:the\s+|my\s+)?(?:${TEACHER}|sir|miss|madam)\b[^!?\n]{0,100}\b(?:marks?|points?|grade|pass|score|generous|lenient|credit)\b`,
  String.raw`\bto\s+(?:the\s+|any\s+|whoever\s+is\s+)?(?:grader|grading|marker|examiner|ai\s+grader|evaluator)\b${upTo(30)}[:,]`,
  String.raw`\b(?:student|candidate|pupil)\b${upTo(20)}\b(?:deserves?|should\s+(?:get|receive|have)|must\s+get|has\s+earned|earns)\b${upTo(20)}\b${BEST}\s+${MARKS}`,
  String.raw`\b${GRADER}\b${upTo(40)}\b(?:must|should|shall|please|will|need\s+to|have\s+to|are\s+(?:to|instructed))\b${upTo(40)}\b(?:award|assign|accept\s+(?:this|my)|output\s+(?:a|the|full|max)|mark|grade|score|ignore|${MARKS})\b`,
  String.raw`\bwhen\s+(?:you\s+(?:are\s+)?)?(?:grad|mark|evaluat|scor|assess)(?:e|ing)\s+(?:this|my|these)\s+(?:${WORK})\b`,
  // Pleas
  String.raw`\b(?:be|being)\s+(?:very\s+|more\s+|extra\s+)?(?:lenient|generous|kind|merciful|nice)\b${upTo(25)}\b(?:grad(?:e|ing)|mark(?:s|ing)?|scor(?:e|ing)|with\s+(?:my|this|me)\b)`,
  String.raw`\bplease\b${upTo(20)}\b(?:pass\s+me|let\s+me\s+pass|don't\s+fail\s+me|do\s+not\s+fail\s+me|give\s+me)\b`,
  String.raw`\bI\s+(?:really\s+|badly\s+)?(?:need|deserve|must\s+get|should\s+get)\s+(?:an?\s+a\+?\b|to\s+pass|${BEST}\s+${MARKS}|a\s+(?:good|high|better)\s+(?:grade|mark|score)|all\s+(?:the\s+)?${MARKS})`,
  // Claims and forged remarks
  String.raw`\b(?:as\s+)?(?:the|my|your|our|a)\s+${TEACHER}\b${upTo(20)}\b(?:said|told|says|confirmed|agreed|approved|promised|allowed|decided|instructed|wants?)\b${upTo(70)}\b(?:deserves?|full|accept(?:ed|s)?|marks?|points?|credit|100|best\s+grade|good\s+grade)\b`,
  String.raw`\b(?:${TEACHER}|examiner|expert|committee|department)s?\s+(?:has\s+|have\s+)?(?:already\s+)?(?:approved|verified|accepted|graded|marked|checked)\s+(?:this|my|the)\s+${WORK}\b`,
  String.raw`\bthis\s+${WORK}\s+(?:has\s+been|was|is)\s+(?:already\s+|fully\s+)?(?:verified|pre-?approved|approved|graded|validated|checked|marked|scored|accepted)\b${upTo(30)}\b(?:as|by|correct|full|and)\b`,
  String.raw`\b(?:this|my)\s+${WORK}\s+(?:is|deserves|should\s+(?:get|receive|be\s+(?:given|awarded|graded|marked|scored))|earns?|merits?|must\s+(?:get|receive))\b${upTo(20)}\b(?:full|max|maximum|perfect|highest|top|100\s*(?:%|points?|marks?)|all\s+(?:the\s+)?${MARKS})`,
  String.raw`\bthe\s+student\s+(?:has\s+)?(?:demonstrate[sd]?|show(?:s|ed|n)|display(?:s|ed))\s+(?:an?\s+)?(?:full|complete|excellent|perfect|thorough|outstanding|deep)\s+(?:understanding|mastery|knowledge|command)\b`,
  String.raw`\b(?:meets?|met|satisf(?:y|ies|ied)|fulfil(?:s|led)?)\s+(?:all|every)\s+(?:of\s+)?(?:the\s+)?(?:rubric\s+)?(?:criteria|criterion|requirements?)\b${upTo(30)}\b(?:rubric|mark\s+scheme|marks?|points|score|criteri)`,
  String.raw`\ball\s+(?:grading\s+|rubric\s+)(?:criteria|items|points|requirements)\s+(?:are|were|have\s+been)\s+(?:fully\s+)?(?:met|satisfied|fulfilled|awarded)\b`,
  String.raw`\b(?:new|updated|revised|corrected|amended|official|final|actual|real)\s+(?:grading\s+)?(?:rubric|mark(?:ing)?\s+scheme|answer\s+key|grading\s+(?:criteria|rules?|policy|instructions?)|scoring\s+(?:guide|rules?))\s*(?:[:(]|for\s+(?:this|question))`,
  String.raw`\b(?:the\s+)?(?:rubric|mark(?:ing)?\s+scheme|answer\s+key|grading\s+criteria)\s+(?:has\s+been|have\s+been|was|were|is|are)\s+(?:now\s+)?(?:changed|updated|revised|wrong|incorrect|outdated|cancelled|replaced|void)\b`,
  String.raw`\b(?:grading|marking|${TEACHER}'?s?|examiner'?s?|grader'?s?|marker'?s?|moderator'?s?)\s+(?:note|comment|remark|decision|feedback|verdict)s?\s*:`,
  String.raw`\b(?:official|model|expected|reference)\s+answer\s*:`,
  String.raw`\b(?:score|grade|marks?|points?|result|total\s+(?:score|marks?|points?)|awarded|earned)\s*(?:awarded|earned|given|obtained)?\s*[:=]\s*(?:100\s*%|(\d{1,3})(?:\.0)?\s*(?:\/|out\s+of|of)\s*\1\b|full\b|max(?:imum)?\b|a\+)`,
  String.raw`\b(\d{1,3})\s*(?:\/|out\s+of)\s*\1\s*(?:points?|marks?)\b`,
  // Machinery
  String.raw`\bsystem\s+(?:prompt|override)\b|\b(?:new\s+)?system\s+message\s*:|\bnew\s+(?:system\s+)?instructions?\s*:|(?:<\/?(?:system|instructions?|assistant|student[_\s-]?answer|submission|rubric|grader|grading|prompt|answer_key)>|\[\/?(?:system|inst)\]|<<\/?sys>>|<\|[a-z_]{2,20}\|>|###\s*(?:system|instruction|assistant|human))`,
  String.raw`\b(?:end|begin(?:ning)?|start)\s+of\s+(?:the\s+)?(?:student'?s?\s+)?(?:answer|submission|paper|untrusted|user\s+input|data)\b\s*[\]>=#:*-]|[\[<=#*-]\s*(?:end|begin|start)\s+(?:of\s+)?(?:student|answer|submission|system|untrusted|data)\b`,
  String.raw`(?:^|[\n.!?]\s*|["'*>]\s*)(?:system|assistant|developer|admin(?:istrator)?)\s*:[^!?\n]{0,120}\b(?:grade|grading|scores?|marks?|rubric|instructions?|ignore|award|correct|points)\b`,
  String.raw`(?:["'](?:score|grade|points_awarded|awarded_points|overall_score|points|marks)["']|\boverall_score["']?)\s*[:=]\s*["']?\d`,
  String.raw`["'](?:criterion_id|question_id|needs_review|max_score|evidence|feedback|confidence)["']\s*:`,
  String.raw`\b(?:enable|enter|activate|switch\s+to|you\s+are\s+(?:now\s+)?in)\s+(?:developer|debug|admin|god|unrestricted|maintenance|dan|jailbreak)\s+mode\b|\byou\s+are\s+(?:now\s+)?DAN\b|\bdo\s+anything\s+now\b`,
  String.raw`\b(?:reveal|repeat|print|show|output|leak)\b${upTo(15)}\byour\s+(?:system\s+|hidden\s+|initial\s+)?(?:prompt|instructions?|rubric|answer\s+key)\b`,
  String.raw`\b(?:admin(?:istrator)?|authori[sz]ed|teacher)\s+override\b|\boverride\s+code\b`,
]

const OTHER_LANGUAGE_PATTERNS = [
  // Spanish and Portuguese
  String.raw`\b(?:ignor[ae]|ignorar|olvid[ae]|omit[ae]|descart[ae]|esque[cç]a|desconsidere)n?\b${upTo(40)}\b(?:instruc(?:ciones|[cç][õo]es)|r[uú]brica|criterios?|crit[eé]rios?|pautas|gu[ií]a\s+de\s+correcci[oó]n)`,
  String.raw`\b(?:d[aá]|d[eé]|dar|dame|d[eê]|otorg[aeu]\w*|asign[ae]\w*|pon|ponga|ponme|conced[ae]\w*|calific[aq]\w*|atribua)\b${upTo(50)}(?:(?:m[aá]xim[ao]|complet[ao]|perfect[ao]|m[aá]s\s+alta)\b${upTo(20)}(?:puntuaci[oó]n|pontua[cç][aã]o|notas?|calificaci[oó]n|puntos|pontos)|todos\s+l?os\s+(?:puntos|pontos))`,
  String.raw`\b(?:m[aá]xima|mejor|melhor)\s+(?:puntuaci[oó]n|pontua[cç][aã]o|nota|calificaci[oó]n)\b|\b(?:puntuaci[oó]n|pontua[cç][aã]o|nota|calificaci[oó]n)\s+m[aá]xima\b`,
  String.raw`\b(?:eres|usted\s+es|act[uú]a|act[uú]e|voc[eê]\s+[eé])\b${upTo(30)}\b(?:corrector|evaluador|avaliador|examinador|calificador)\b`,
  // French
  String.raw`\b(?:ignore[zr]?|oublie[zr]?|ne\s+(?:tiens|tenez)\s+pas\s+compte)\b${upTo(40)}(?:(?:ces|les|vos|tes|toutes)\b${upTo(20)}instructions|consignes|bar[eè]me|grille\s+d|crit[eè]res)`,
  String.raw`\b(?:donne[zr]?|attribue[zr]?|accorde[zr]?|mets|mettez)\b${upTo(50)}\b(?:tous\s+les\s+points|(?:note|points?)\s+maxim\w+|maximum\s+de\s+points|meilleure\s+note|note\s+parfaite|20\s*\/\s*20)`,
  String.raw`\b(?:tu\s+es|vous\s+[eê]tes|agis|agissez)\b${upTo(30)}\b(?:correcteur|correctrice|[eé]valuateur|examinateur)\b`,
  // German and Italian
  String.raw`\b(?:ignorier\w*|vergiss|vergessen\s+sie|missacht\w*|beachte\s+nicht)\b${upTo(40)}(?:anweisung|anleitung|bewertung|rubrik|instruktion|erwartungshorizont|vorgaben)`,
  String.raw`\b(?:gib|geben\s+sie|vergib|vergeben\s+sie|bewerte\w*|erteile\w*|schreib\w*)\b${upTo(50)}\b(?:voll\w*|maximal\w*|h[oö]chst\w*|alle|best\w*)\s+(?:punkt|note|bewertung|zensur)|\bvolle\s+punktzahl\b|\bh[oö]chstpunktzahl\b`,
  String.raw`\b(?:du\s+bist|sie\s+sind)\b${upTo(30)}\b(?:pr[uü]fer|korrektor|bewerter|korrekturassistent)\w*`,
  String.raw`\b(?:ignora|dimentica)\b${upTo(40)}(?:istruzioni|rubrica|criteri)|\b(?:dai|assegna|dammi)\b${upTo(40)}(?:voto\s+massimo|massimo\s+(?:dei\s+)?(?:voti|punti)|punteggio\s+(?:pieno|massimo)|tutti\s+i\s+punti)`,
  // Russian
  String.raw`(?:игнорируй|забудь|не\s+учитывай)[^.!?\n]{0,40}(?:инструкци|критери|рубрик|указани|оценива)|(?:поставь|дай|выстави|оцени)[^.!?\n]{0,40}(?:максимальн|высш|полн|отличн)[^.!?\n]{0,10}(?:балл|оценк)`,
  // Chinese and Japanese
  String.raw`(?:忽略|无视|無視|忘记|忘掉|不要理会|不要遵守)[^。！？\n]{0,16}(?:指令|指示|说明|說明|评分|評分|提示|标准|標準|规则|要求)`,
  String.raw`(?:给|給|打|评|判|请给|授予)[^。！？\n]{0,14}(?:满分|滿分|最高分|全分|100\s*分|一百分)|(?:满点|満点)(?:を|に|で)|採点者|阅卷老师请|评分(?:者|员|系统|模型)[，,:：请]`,
  String.raw`(?:你是|您是|你现在是|あなたは)[^。！？\n]{0,12}(?:评分|評分|阅卷|批改|採点)`,
]

/** Quick look: no English pattern matches without one of these. */
const ENGLISH_PREFILTER =
  /scor|grad|mark|point|credit|rubric|instruct|prompt|guideline|key|scheme|correct|right|perfect|accept|deserve|lenient|generous|merciful|kind|teacher|prof|lecturer|tutor|examin|evaluat|assess|student|submission|system|sys>|assistant|developer|admin|criteri|mode|dan\b|now|override|fail|pass|verif|approv|sir|miss|madam|answer|full|max|top|ai\b|llm|gpt|claude|gemini|["'[<#]|\d\s*(?:\/|out)|100/i
const OTHER_LANGUAGES_PREFILTER =
  /[^\p{ASCII}]|instruc|instruk|rubri|crit|paut|guia|puntu|pontu|calific|not[ae]|punt|pont|corre|evalu|exam|avali|consign|bareme|grille|point|anwei|anleit|bewert|erwart|vorgab|punkt|zensur|prufer|korre|istru|vot|20\s*\//iu

const UNSPACED_PATTERNS = [
  '(?:ignore|disregard|forget)(?:all|the|any|your|previous|prior|above|these)*(?:instructions?|rubrics?|prompts?|grading|guidelines?)',
  '(?:give|award|grant|assign)[a-z]{0,24}(?:full|max|maximum|perfect|top|highest|all)(?:the)?(?:marks?|points?|score|credit|grade)',
  '(?:mark|grade|score|treat)[a-z]{0,24}as(?:fully)?(?:correct|right|perfect)',
]

const compile = (sources: string[]) => sources.map((source) => new RegExp(source, 'giu'))
const otherPatterns = compile(OTHER_LANGUAGE_PATTERNS)
const englishPatterns = compile(ENGLISH_PATTERNS)
const unspacedPatterns = compile(UNSPACED_PATTERNS)

interface TextSpan {
  text: string
  from: number
  to: number
}

/** In order, across spaces and line breaks. */
export function findPromptInjections(text: string): TextSpan[] {
  const { flat, plain, places } = flatten(text.slice(0, 40_000))
  const found: TextSpan[] = []
  for (const { from: start, to: end } of matches(flat, plain)) {
    const from = places[sentenceStart(flat, start)] ?? 0
    const last = places[sentenceEnd(flat, end) - 1] ?? text.length - 1
    const to = last + ((text.codePointAt(last) ?? 0) > 0xffff ? 2 : 1)
    found.push({ text: text.slice(from, to).trim(), from, to })
  }
  found.sort((a, b) => a.from - b.from || b.to - a.to)
  const merged: TextSpan[] = []
  for (const one of found) {
    const last = merged.at(-1)
    if (last && one.from <= last.to) {
      last.to = Math.max(last.to, one.to)
      last.text = text.slice(last.from, last.to).trim()
    } else merged.push({ ...one })
  }
  return merged
}

function matches(flat: string, plain: string): { from: number; to: number }[] {
  const found = [...inEnglish(flat), ...inOtherLanguages(flat)]
  if (plain !== flat) found.push(...inEnglish(plain))
  const figures = undoLeetspeak(plain)
  if (figures !== plain) found.push(...inEnglish(figures))
  const whole = { from: 0, to: flat.length }
  // The patterns are slow, and honest text turned round has none of these words.
  for (const turned of [rot13(plain), reverseText(plain)])
    if (/\b(?:grade|grader|marks?|points|score|instructions?|rubric|answer)\b/i.test(turned))
      if (inEnglish(turned).length > 0) found.push(whole)
  for (const stretch of findSpacedOutText(plain))
    if (unspacedPatterns.some((pattern) => stretch.text.search(pattern) >= 0)) found.push(stretch)
  for (const stretch of findEncodedText(flat))
    if (inEnglish(stretch.text).length + inOtherLanguages(stretch.text).length > 0) found.push(stretch)
  return found
}

const inEnglish = (text: string) => (ENGLISH_PREFILTER.test(text) ? search(text, englishPatterns) : [])
const inOtherLanguages = (text: string) => (OTHER_LANGUAGES_PREFILTER.test(text) ? search(text, otherPatterns) : [])

const search = (text: string, patterns: RegExp[]): { from: number; to: number }[] =>
  patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => ({ from: match.index, to: match.index + match[0].length })),
  )

/** Drops zero-width letters and strokes; `plain` has look-alikes replaced, `places` maps each letter back. */
function flatten(text: string): { flat: string; plain: string; places: number[] } {
  const flat: string[] = []
  const plain: string[] = []
  const places: number[] = []
  let next = 0
  for (const letter of text) {
    const at = next
    next += letter.length
    // biome-ignore lint/suspicious/noMisleadingCharacterClass: strokes are looked for by themselves
    if (/[\u200b-\u200f\u2060\ufeff\u00ad\u202a-\u202e\u2066-\u2069\u0334-\u0338]/.test(letter)) continue
    const known = /\s/.test(letter) ? ' ' : letter === '’' || letter === '‘' ? "'" : letter
    const folded = foldLookAlikeLetter(known)
    // Of two units only mathematical and boxed letters are meant to be read; all three lists stay in step.
    const seen = known.length > 1 ? folded.slice(-1) : known
    flat.push(seen)
    plain.push(folded.slice(-1))
    places.push(at)
  }
  return { flat: flat.join(''), plain: plain.join(''), places }
}

function sentenceStart(text: string, at: number): number {
  for (let i = at - 1; i >= 0 && i > at - 400; i--) if (/[.!?]/.test(text[i] ?? '') && text[i + 1] === ' ') return i + 1
  return Math.max(0, at - 400)
}

function sentenceEnd(text: string, from: number): number {
  for (let i = from; i < text.length && i < from + 400; i++) if (/[.!?]/.test(text[i] ?? '')) return i + 1
  return Math.min(text.length, from + 400)
}

/** Look-alikes that NFKC does not undo; the last of a group is the letter meant. */
const LOOK_ALIKES = `аӓӑa АΑA ВΒB сϲc СϹC ԁd еєҽe ЕΕE ɡg һh НΗH іıɩιi ІΙI јj ЈͿJ кκk КΚK ӏl мm МΜM пոn ΝN оοσօo ОΟO
  ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz рρp РΡP ԛq гr ѕs ЅS тτt ТΤT υսu νѵv ԝѡw хχx ХΧX уγy УΥY ΖZ`
const lookAlikes: Record<string, string> = Object.fromEntries(
  LOOK_ALIKES.split(/\s+/).flatMap((group) => [...group.slice(0, -1)].map((letter) => [letter, group.slice(-1)])),
)
const leetspeakDigits: Record<string, string> = Object.fromEntries(
  ['0o', '1i', '3e', '4a', '5s', '7t', '@a', '$s', '!i'].map(([sign = '', letter = '']) => [sign, letter]),
)

/** Code points of A: white on black discs, on black squares, flags. */
const BOXED_ALPHABETS = [0x1f150, 0x1f170, 0x1f1e6]

function foldLookAlikeLetter(letter: string): string {
  const alike = lookAlikes[letter]
  if (alike) return alike
  if (letter < '\u0080') return letter
  const code = letter.codePointAt(0) ?? 0
  const first = BOXED_ALPHABETS.find((start) => code >= start && code < start + 26)
  if (first) return String.fromCharCode(code - first + 65)
  const folded = letter.normalize('NFKD').replace(/\p{M}/gu, '')
  return folded.length === 1 && folded < '\u0080' ? folded : letter
}

/** “1gn0re”; every letter keeps its place. */
const undoLeetspeak = (text: string): string =>
  text.replace(
    /(?<=\p{L})[013457@$!](?=\p{L})|(?<![\p{L}\d])[013457@$](?=\p{L}{2})/gu,
    (at) => leetspeakDigits[at] ?? at,
  )

export const rot13 = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => {
    const base = letter < 'a' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
  })

export const reverseText = (text: string): string => [...text].reverse().join('')

function findSpacedOutText(text: string): TextSpan[] {
  return [...text.matchAll(/(?:(?<!\p{L})\p{L}[\s.\-_*|/·,]{1,3}){9,}\p{L}(?!\p{L})/gu)].map((match) => ({
    text: match[0].replace(/[^\p{L}]/gu, '').toLowerCase(),
    from: match.index,
    to: match.index + match[0].length,
  }))
}

function findEncodedText(text: string): TextSpan[] {
  const found: TextSpan[] = []
  for (const match of text.matchAll(/[A-Za-z0-9+/]{16,}(?:\s[A-Za-z0-9+/]{8,}){0,20}={0,2}/g)) {
    const packed = match[0].replace(/\s/g, '')
    const kinds: BufferEncoding[] = /^[0-9a-f]+$/i.test(packed) ? ['hex', 'base64'] : ['base64']
    for (const kind of kinds) {
      const decoded = Buffer.from(packed, kind).toString('utf8')
      if (/^[\p{L}\p{N}\p{P}\p{Zs}\s=+<>|$]{8,}$/u.test(decoded))
        found.push({ text: decoded, from: match.index, to: match.index + match[0].length })
    }
  }
  return found
}
