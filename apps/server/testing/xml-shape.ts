import { DOMParser, type Element } from '@xmldom/xmldom';

/** What an element of an XML schema may have: its children in their order, its attributes, or its text. */
export interface Shape {
  /** Each with how many there may be. */
  readonly children?: readonly (readonly [name: string, least: number, most: number])[];
  readonly attributes?: Readonly<Record<string, (value: string) => boolean>>;
  readonly text?: (value: string) => boolean;
}

/** Everything in a document that a schema does not allow, or that it lacks. An element that has no shape is wrong. */
export function faultsOf(text: string, root: string, shapes: Readonly<Record<string, Shape>>): string[] {
  const document = new DOMParser({
    onError: (_level, message) => {
      throw new Error(message);
    },
  }).parseFromString(text, 'text/xml');
  const faults: string[] = [];
  const top = document.documentElement;
  if (top?.nodeName !== root) return [`<${top?.nodeName}> is not <${root}>`];
  check(top, shapes, faults);
  return faults;
}

function check(node: Element, shapes: Readonly<Record<string, Shape>>, faults: string[]): void {
  const name = node.nodeName;
  const shape = shapes[name];
  if (!shape) {
    faults.push(`<${name}> is not known`);
    return;
  }
  const { attributes = {}, children = [], text } = shape;
  const given = [...node.attributes].filter(({ name: each }) => !/^(xmlns|xsi)(:|$)/.test(each));
  for (const { name: each, value } of given) {
    if (!attributes[each]?.(value)) faults.push(`<${name} ${each}="${value}">`);
  }
  for (const each of Object.keys(attributes)) {
    if (!given.some(({ name: found }) => found === each)) faults.push(`<${name}> lacks ${each}`);
  }
  const inside = [...node.childNodes].filter(child => child.nodeType === 1) as Element[];
  let at = 0;
  for (const [child, least, most] of children) {
    let count = 0;
    while (inside[at]?.nodeName === child && count < most) {
      at++;
      count++;
    }
    if (count < least) faults.push(`<${name}> lacks <${child}>`);
  }
  if (at < inside.length) faults.push(`<${inside[at]?.nodeName}> does not stand here in <${name}>`);
  const own = [...node.childNodes].flatMap(child => (child.nodeType === 3 ? (child.nodeValue ?? '') : [])).join('');
  if (text ? !text(own) : own.trim() !== '') faults.push(`<${name}>${own}</${name}>`);
  for (const child of inside) check(child, shapes, faults);
}
