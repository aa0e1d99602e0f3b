// SPDX-License-Identifier: Apache-2.0
// Reads JSON: what a scenario needs of it. Escapes in strings are kept as they are, and big numbers are doubles.
#pragma once

#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace sim {

/// A value: number (also true and false), text, list or object. Null is a number, 0.
class Json {
  public:
    /// Throws std::runtime_error, with the place, if the text is no JSON.
    static Json Read(const std::string& text) {
        Reader reader{text, 0};
        Json read = reader.Value();
        reader.Skip();
        if (reader.at != text.size()) reader.Fail("the end is missing");
        return read;
    }

    double Number() const { return m_number; }
    const std::string& Text() const { return m_text; }
    const std::vector<Json>& Items() const { return m_items; }
    bool Has(const std::string& name) const { return m_members.count(name); }

    /// Throws std::out_of_range if there is none.
    const Json& operator[](const std::string& name) const { return m_members.at(name); }

    double NumberOf(const std::string& name, double otherwise) const { return Has(name) ? (*this)[name].Number() : otherwise; }

  private:
    struct Reader {
        const std::string& text;
        size_t at;

        [[noreturn]] void Fail(const std::string& why) const {
            throw std::runtime_error("no JSON at character " + std::to_string(at) + ": " + why);
        }
        void Skip() {
            while (at < text.size() && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r')) at++;
        }
        bool Takes(char wanted) {
            Skip();
            if (at >= text.size() || text[at] != wanted) return false;
            at++;
            return true;
        }
        std::string String() {
            std::string read;
            if (!Takes('"')) Fail("text is missing");
            while (at < text.size() && text[at] != '"') {
                if (text[at] == '\\') read += text[at++];
                read += text[at++];
            }
            if (at >= text.size()) Fail("the end of a text is missing");
            at++;
            return read;
        }
        Json Value() {
            Json value;
            Skip();
            if (at >= text.size()) Fail("a value is missing");
            if (text[at] == '"') value.m_text = String();
            else if (Takes('[')) List(value);
            else if (Takes('{')) Object(value);
            else Literal(value);
            return value;
        }
        void List(Json& value) {
            if (Takes(']')) return;
            do value.m_items.push_back(Value());
            while (Takes(','));
            if (!Takes(']')) Fail("] is missing");
        }
        void Object(Json& value) {
            if (Takes('}')) return;
            do {
                std::string name = String();
                if (!Takes(':')) Fail(": is missing");
                value.m_members[name] = Value();
            } while (Takes(','));
            if (!Takes('}')) Fail("} is missing");
        }
        void Literal(Json& value) {
            for (const char* word : {"null", "false", "true"})
                if (!text.compare(at, std::char_traits<char>::length(word), word)) {
                    value.m_number = *word == 't';
                    at += std::char_traits<char>::length(word);
                    return;
                }
            char* end;
            value.m_number = std::strtod(text.c_str() + at, &end);
            if (end == text.c_str() + at) Fail("a value is missing");
            at = end - text.c_str();
        }
    };

    double m_number{0};
    std::string m_text;
    std::vector<Json> m_items;
    std::map<std::string, Json> m_members;
};

} // namespace sim
