import { type Cell, type Cells, cellKey, cellX, cellY, MOST_WEIGHT, SQUARE } from './grid.ts';

/** A cell's number in the square, position in the cell, day, links, weight. */
const BYTES = 8;

/** Packs the cells of a square for storage: eight bytes each, ordered by number. */
export function packSquare(cells: Iterable<readonly [key: number, cell: Cell]>): Buffer {
  const inOrder = [...cells]
    .map(([key, cell]) => ({ at: (cellY(key) % SQUARE) * SQUARE + (cellX(key) % SQUARE), cell }))
    .sort((a, b) => a.at - b.at);
  const bytes = Buffer.alloc(inOrder.length * BYTES);
  let offset = 0;
  for (const { at, cell } of inOrder) {
    bytes.writeUInt16LE(at, offset);
    bytes.writeUInt8(Math.min(255, Math.floor(cell.x * 256)), offset + 2);
    bytes.writeUInt8(Math.min(255, Math.floor(cell.y * 256)), offset + 3);
    bytes.writeUInt16LE(cell.day, offset + 4);
    bytes.writeUInt8(cell.links, offset + 6);
    bytes.writeUInt8(Math.min(MOST_WEIGHT, cell.weight), offset + 7);
    offset += BYTES;
  }
  return bytes;
}

/** Unpacks the cells of a square with their world keys, without those last driven before `fromDay`. */
export function* unpackSquare(
  bytes: Buffer,
  { x, y }: { readonly x: number; readonly y: number },
  fromDay: number,
): Generator<readonly [key: number, cell: Cell]> {
  for (let offset = 0; offset + BYTES <= bytes.length; offset += BYTES) {
    const day = bytes.readUInt16LE(offset + 4);
    if (day < fromDay) continue;
    const at = bytes.readUInt16LE(offset);
    yield [
      cellKey(x * SQUARE + (at % SQUARE), y * SQUARE + Math.floor(at / SQUARE)),
      {
        x: (bytes.readUInt8(offset + 2) + 0.5) / 256,
        y: (bytes.readUInt8(offset + 3) + 0.5) / 256,
        day,
        links: bytes.readUInt8(offset + 6),
        weight: bytes.readUInt8(offset + 7),
      },
    ];
  }
}

/** Groups cells by the square that stores them. */
export function bySquare(cells: Cells): Map<number, [number, Cell][]> {
  const squares = new Map<number, [number, Cell][]>();
  for (const entry of cells) {
    const key = cellKey(Math.floor(cellX(entry[0]) / SQUARE), Math.floor(cellY(entry[0]) / SQUARE));
    const square = squares.get(key);
    if (square) square.push(entry);
    else squares.set(key, [entry]);
  }
  return squares;
}
