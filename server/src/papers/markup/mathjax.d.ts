/** MathJax 4 has no types; what is used of it (https://docs.mathjax.org/en/v4.0/server/). */
declare module 'mathjax' {
  interface LiteAdaptor<Node> {
    /** `#text` for a text node. */
    kind(node: Node): string
    getAttribute(node: Node, name: string): string | undefined
    childNodes(node: Node): Node[]
  }
  export interface MathJaxOutput<Node = object> {
    tex2svgPromise(tex: string, options: { display: boolean }): Promise<Node>
    startup: { adaptor: LiteAdaptor<Node> }
  }
  const MathJax: { init(settings: object): Promise<MathJaxOutput> }
  export default MathJax
}
