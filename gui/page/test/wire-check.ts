// SPDX-License-Identifier: Apache-2.0
/** Holds JSON against the types of a TypeScript file. It reads the file's source: at run time nothing is left of its types. */
import ts from 'typescript';

type Members = ReadonlyMap<string, ts.PropertySignature>;

export class WireCheck {
  /** Fields that a value had so far, as `Interface.field`. */
  readonly seen = new Set<string>();
  private readonly declared = new Map<string, ts.InterfaceDeclaration | ts.TypeAliasDeclaration>();

  constructor(source: string) {
    for (const statement of parsed(source).statements) {
      if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) {
        this.declared.set(statement.name.text, statement);
      }
    }
  }

  /** All fields that the file declares, as `Interface.field`. */
  fields(): string[] {
    return [...this.declared.values()].filter(ts.isInterfaceDeclaration)
      .flatMap((declaration) => [...members(declaration.members).keys()].map((name) => `${declaration.name.text}.${name}`));
  }

  /** The words of a type that is a union of words. */
  words(alias: string): string[] {
    const declaration = this.declared.get(alias);
    if (!declaration || !ts.isTypeAliasDeclaration(declaration) || !ts.isUnionTypeNode(declaration.type)) {
      throw new Error(`${alias} is no union`);
    }
    return declaration.type.types.map((word) => word.getText().slice(1, -1));
  }

  /** In what a value differs from a type, given as TypeScript writes it; empty if in nothing. */
  differences(value: unknown, type: string): string[] {
    const alias = parsed(`type T = ${type};`).statements[0] as ts.TypeAliasDeclaration;
    return this.compare(value, alias.type, '');
  }

  private compare(value: unknown, type: ts.TypeNode, at: string): string[] {
    if (ts.isTypeOperatorNode(type) || ts.isParenthesizedTypeNode(type)) {
      return this.compare(value, type.type, at);
    }
    if (ts.isArrayTypeNode(type)) {
      return Array.isArray(value) ? value.flatMap((each, i) => this.compare(each, type.elementType, `${at}/${i}`)) : [`${at} is no array`];
    }
    if (ts.isUnionTypeNode(type)) {
      return this.compareUnion(value, type, at);
    }
    if (ts.isTypeLiteralNode(type)) {
      return this.compareObject(value, members(type.members), '', at);
    }
    if (ts.isTypeReferenceNode(type)) {
      return this.compareNamed(value, type, at);
    }
    const text = type.getText();
    const fits = text === 'null' ? value === null
      : ts.isLiteralTypeNode(type) ? value === text.slice(1, -1) : typeof value === text;
    return fits ? [] : [`${at} is ${JSON.stringify(value)}, not ${text}`];
  }

  private compareUnion(value: unknown, union: ts.UnionTypeNode, at: string): string[] {
    let least: string[] | null = null;
    for (const type of union.types) {
      const before = new Set(this.seen);
      const differences = this.compare(value, type, at);
      if (!differences.length) {
        return [];
      }
      // What does not fit has shown nothing of the alternative's fields.
      this.seen.clear();
      before.forEach((field) => this.seen.add(field));
      least = least && least.length <= differences.length ? least : differences;
    }
    return least ?? [];
  }

  private compareNamed(value: unknown, type: ts.TypeReferenceNode, at: string): string[] {
    const name = type.typeName.getText();
    const [first, second] = type.typeArguments ?? [];
    if (name === 'Readonly') {
      return this.compare(value, first, at);
    }
    if (name === 'Record') {
      return Object.entries(value as object).flatMap(([key, each]) => this.compare(each, second, `${at}/${key}`));
    }
    const declaration = this.declared.get(name);
    if (!declaration) {
      throw new Error(`no type ${name}`);
    }
    return ts.isTypeAliasDeclaration(declaration) ? this.compare(value, declaration.type, at)
      : this.compareInterface(value, declaration, at);
  }

  private compareInterface(value: unknown, declaration: ts.InterfaceDeclaration, at: string): string[] {
    return this.compareObject(value, this.inherited(declaration), declaration.name.text, at);
  }

  private compareObject(value: unknown, fields: Members, owner: string, at: string): string[] {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return [`${at} is no object`];
    }
    const found = value as Record<string, unknown>;
    const differences = Object.keys(found).filter((name) => !fields.has(name)).map((name) => `${at}/${name} is not declared`);
    for (const [name, field] of fields) {
      if (name in found) {
        const parent = field.parent;
        this.seen.add(`${ts.isInterfaceDeclaration(parent) ? parent.name.text : owner}.${name}`);
        differences.push(...this.compare(found[name], field.type!, `${at}/${name}`));
      } else if (!field.questionToken) {
        differences.push(`${at}/${name} is missing`);
      }
    }
    return differences;
  }

  private inherited(declaration: ts.InterfaceDeclaration): Members {
    const bases = (declaration.heritageClauses ?? []).flatMap((clause) => [...clause.types])
      .map((base) => this.declared.get(base.expression.getText()) as ts.InterfaceDeclaration);
    return new Map([...bases.flatMap((base) => [...this.inherited(base)]), ...members(declaration.members)]);
  }
}

function parsed(source: string): ts.SourceFile {
  return ts.createSourceFile('wire.ts', source, ts.ScriptTarget.Latest, true);
}

function members(elements: readonly ts.TypeElement[]): Members {
  return new Map(elements.filter(ts.isPropertySignature).map((field) => [field.name.getText(), field]));
}
